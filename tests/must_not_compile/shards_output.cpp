// The outputs of a trainer whose batch is cut.
// expect(g++): with shards<N> each part has its own output; write shard(k).output<\"..\">()
// expect(clang): "with shards<N> each part has its"
// expect(clang): "own output; write"
// expect(clang): "shard(k).output<\"..\">()"
#include <tenon/tenon.hpp>

using namespace tenon;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
using training = trainer<model, cross_entropy<"logits">, adam, batch<64>, shards<4>>;
#ifdef MISTAKE
void use(training& train) { train.output<"logits">(); }
#else
void use(training& train) { train.shard(0).output<"logits">(); }
#endif
