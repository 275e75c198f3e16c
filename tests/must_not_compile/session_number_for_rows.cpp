// A number where there is one for each row.
// expect(g++): input \'language\': a number is given, it takes one for each row; of one row give std::array{x}
// expect(clang): "input \'language\': a number is"
// expect(clang): "given, it takes one for each row;"
// expect(clang): "of one row give std::array{x}"
#include <tenon/tenon.hpp>

#include <array>

using namespace tenon;
using namespace tenon::nn;

using model =
    graph<"model", input<"language", token<8>>, node<"y", embedding<8, 4>, "language">, output<"y">>;
void use(inference<model>& run, int language) {
#ifdef MISTAKE
  set_input<"language">(run, language);
#else
  set_input<"language">(run, std::array{language});
#endif
}
