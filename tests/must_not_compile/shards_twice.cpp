// Two numbers of shards.
// expect(g++): the trainer\'s options say shards<N> twice; keep one of them
// expect(clang): "the trainer\'s options say"
// expect(clang): "shards<N> twice; keep one of them"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
#ifdef MISTAKE
using training =
    trainer<model, losses::cross_entropy<"logits">, optimizers::adam, shards<2>, batch<64>, shards<4>>;
#else
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<64>, shards<4>>;
#endif
void use(training& train) { train.step(); }
