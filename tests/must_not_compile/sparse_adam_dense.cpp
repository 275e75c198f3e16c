// A sparse table, and an update rule that moves rows without a gradient.
// expect(g++): update rule \'optimizers::adam\' changes rows of a sparse table that have no gradient; take optimizers::sgd, optimizers::adagrad or optimizers::sparse_adam, or leave out sparse
// expect(clang): "update rule \'optimizers::adam\'"
// expect(clang): "changes rows of a sparse table"
// expect(clang): "that have no gradient; take"
// expect(clang): "optimizers::sgd,"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"word", token<100>>, node<"embedded", embedding<100, 8, sparse>, "word">,
                    node<"logits", linear<4>, "embedded">, output<"logits">>;
#ifdef MISTAKE
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::adam>;
#else
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::sparse_adam>;
#endif
void use(parameters<model>& theta) { training(theta).step(); }
