// Tokens of float.
// expect(g++): input \'tokens\': tokens are whole numbers, got float; give int
// expect(clang): "input \'tokens\': tokens are whole"
// expect(clang): "numbers, got float; give int"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"tokens", token<10>, steps<6>>,
                    node<"embedded", embedding<10, 8>, "tokens">, output<"embedded">>;
void use(inference<model>& run, view<const float> tokens, view<const int> whole) {
#ifdef MISTAKE
  set_input<"tokens">(run, tokens);
  static_cast<void>(whole);
#else
  set_input<"tokens">(run, whole);
  static_cast<void>(tokens);
#endif
}
