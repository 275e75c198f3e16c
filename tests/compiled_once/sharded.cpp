// A trainer that splits its batch into shards, to check what its program contains besides code.
#include <tenon/tenon.hpp>

namespace sharded {

using model = tenon::graph<"model", tenon::input<"x", tenon::features<3>>,
                           tenon::node<"y", tenon::nn::linear<4>, "x">, tenon::output<"y">>;
using training = tenon::trainer<model, tenon::losses::cross_entropy<"y">, tenon::optimizers::sgd,
                                tenon::batch<8>, tenon::shards<2>>;

float step(training& train) { return train.step(); }

}  // namespace sharded
