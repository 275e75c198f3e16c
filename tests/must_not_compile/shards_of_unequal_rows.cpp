// A batch that cannot be cut into so many shards of one size.
// expect(g++): shards<3> cannot cut batch<64> into equal parts; write batch<63> or batch<66>
// expect(clang): "shards<3> cannot cut batch<64>"
// expect(clang): "into equal parts; write batch<63>"
// expect(clang): "or batch<66>"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
#ifdef MISTAKE
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<64>, shards<3>>;
#else
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<64>, shards<4>>;
#endif
void use(training& train) { train.step(); }
