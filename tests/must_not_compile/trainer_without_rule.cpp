// An option where the update rule of a trainer stands.
// expect(g++): \'batch<32>\' is not an update rule; a trainer takes the graph, a loss, a rule such as optimizers::adam, then the options
// expect(clang): "\'batch<32>\' is not an update rule;"
// expect(clang): "a trainer takes the graph, a loss,"
// expect(clang): "a rule such as optimizers::adam,"
// expect(clang): "then the options"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;

#ifdef MISTAKE
using training = trainer<model, losses::cross_entropy<"logits">, batch<32>>;
#else
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<32>>;
#endif
void use(training& train) { train.step(); }
