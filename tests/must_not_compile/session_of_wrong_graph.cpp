// A session of a graph that does not fit: no second error.
// expect(g++): node \'y\': linear expects 9 features, got 8 from \'x\'; write features<8>, or mend \'x\'
// expect(clang): "node \'y\': linear expects 9"
// expect(clang): "features, got 8 from \'x\'; write"
// expect(clang): "features<8>, or mend \'x\'"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;


#ifdef MISTAKE
using layer = linear<4, features<9>>;
#else
using layer = linear<4, features<8>>;
#endif
using model = graph<"model", input<"x", features<8>>, node<"y", layer, "x">, output<"y">>;
void use(inference<model>& run, view<const float> x) {
  set_input<"x">(run, x);
  get<"y">(run);
}
