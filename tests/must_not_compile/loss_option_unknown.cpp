// An option that cross_entropy does not have.
// expect(g++): node \'loss\': cross_entropy has no option \'padding_idx<0>\'; its options: class_weights<a, b, ..>, label_smoothing<share>, ignored<class>
// expect(clang): "node \'loss\': cross_entropy has no"
// expect(clang): "option \'padding_idx<0>\'; its"
// expect(clang): "options: class_weights<a, b, ..>,"
// expect(clang): "label_smoothing<share>,"
// expect(clang): "ignored<class>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;

using model = graph<"model", input<"x", features<4>>, node<"y", linear<3>, "x">, output<"y">>;
#ifdef MISTAKE
using objective = cross_entropy<"y", "target", padding_idx<0>>;
#else
using objective = cross_entropy<"y", "target", ignored<0>>;
#endif
static_assert(check<model, objective>());
