// A session of a graph that does not fit: no second error.
// expect(g++): node \'y\': linear expects 9 features, got 8 from \'x\'
// expect(clang): "node \'y\': linear expects 9"
// expect(clang): features, got 8 from
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;


#ifdef MISTAKE
using layer = linear<9, 4>;
#else
using layer = linear<8, 4>;
#endif
using model = graph<"model", input<"x", features<8>>, node<"y", layer, "x">, output<"y">>;
void use(inference<model>& run, view<const float> x) { run.input<"x">(x), run.output<"y">(); }
