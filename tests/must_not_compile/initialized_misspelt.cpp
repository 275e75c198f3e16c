// An initialiser for a parameter that the layer does not have.
// expect(g++): node \'y\': no parameter of the layer is named \'weigth_hh_l0\'; did you mean \'weight_hh_l0\'?
// expect(clang): "you mean \'weight_hh_l0\'?"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = lstm<4, initialized<"weigth_hh_l0", init::orthogonal()>>;
#else
using layer = lstm<4, initialized<"weight_hh_l0", init::orthogonal()>>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
