// An option that recurrent layers do not have.
// expect(g++): node \'y\': a recurrent layer has no option \'padding_idx<0>\'; its options: hidden<n>, layers<n>, bidirectional, dropout<rate>, no_bias, steps<n>, proj_size<n>, zoneout<rate>, forget_bias<b>, variational_dropout<rate>, initialized<\"name\", start>, frozen, frozen_parameters<\"name\">
// expect(clang): "node \'y\': a recurrent layer has no"
// expect(clang): "option \'padding_idx<0>\'; its"
// expect(clang): "options: hidden<n>, layers<n>,"
// expect(clang): "bidirectional, dropout<rate>,"
// expect(clang): "no_bias, steps<n>, proj_size<n>,"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/embedding.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = lstm<4, padding_idx<0>>;
#else
using layer = lstm<4, no_bias>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
