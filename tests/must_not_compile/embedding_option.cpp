// An option that an embedding does not have.
// expect(g++): node \'y\': embedding has no option \'no_bias\'; its options: padding_idx<token>, scale_grad_by_freq, sparse, initialized<\"weight\", start>, frozen, frozen_parameters<\"weight\">
// expect(clang): "node \'y\': embedding has no option"
// expect(clang): "\'no_bias\'; its options:"
// expect(clang): "padding_idx<token>,"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/embedding.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = embedding<10, 4, no_bias>;
#else
using layer = embedding<10, 4, padding_idx<0>>;
#endif
using model = graph<"model", input<"x", token<10>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
