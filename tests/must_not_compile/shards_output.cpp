// The outputs of a trainer whose batch is cut.
// expect(g++): with shards<N> each shard has its own outputs; write get<\"name\">(trainer.shard(k))
// expect(clang): "with shards<N> each shard has its"
// expect(clang): "own outputs; write"
// expect(clang): "get<\"name\">(trainer.shard(k))"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<64>, shards<4>>;
#ifdef MISTAKE
void use(training& train) { get<"logits">(train); }
#else
void use(training& train) { get<"logits">(train.shard(0)); }
#endif
