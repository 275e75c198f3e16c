// An option of a recurrent layer with a letter too many.
// expect(g++): node \'y\': a recurrent layer has no option \'bidirectionnal\'; did you mean \'bidirectional\'?
// expect(clang): "node \'y\': a recurrent layer has no"
// expect(clang): "option \'bidirectionnal\'; did you"
// expect(clang): "mean \'bidirectional\'?"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>
#include <tenon/nn/embedding.hpp>

using namespace tenon;
using namespace tenon::nn;

struct bidirectionnal {};
#ifdef MISTAKE
using layer = lstm<4, bidirectionnal>;
#else
using layer = lstm<4, bidirectional>;
#endif
using model = graph<"model", input<"x", features<8>, steps<5>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
