// An option that cross_entropy does not have.
// expect(g++): node \'loss\': cross_entropy has no option \'padding_idx<0>\'; its options: losses::class_weights<a, b, ..>, losses::label_smoothing<share>, losses::ignored<class>
// expect(clang): "option \'padding_idx<0>\'; its"
// expect(clang): "options: losses::class_weights<a,"
// expect(clang): "b, ..>,"
// expect(clang): "losses::label_smoothing<share>,"
// expect(clang): "losses::ignored<class>"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/nn.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<4>>, node<"y", linear<3>, "x">, output<"y">>;
#ifdef MISTAKE
using objective = losses::cross_entropy<"y", "target", padding_idx<0>>;
#else
using objective = losses::cross_entropy<"y", "target", losses::ignored<0>>;
#endif
static_assert(check<model, objective>());
