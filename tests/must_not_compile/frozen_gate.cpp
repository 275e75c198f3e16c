// One gate of a product frozen, the others not.
// expect(g++): node \'y\': a frozen parameter is part of a product of several gates; freeze all gates of one input: frozen_parameters<\"W_*\">
// expect(clang): "part of a product of several"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = recurrent<cells::gru_cho, hidden<4>, frozen_parameters<"W_z*">>;
#else
using layer = recurrent<cells::gru_cho, hidden<4>, frozen_parameters<"W_*">>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
