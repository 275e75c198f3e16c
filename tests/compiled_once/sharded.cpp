// A trainer that cuts its batch into parts, for what stands in its program beside code.
#include <tenon/tenon.hpp>

namespace sharded {

using model = tenon::graph<"model", tenon::input<"x", tenon::features<3>>,
                           tenon::node<"y", tenon::linear<4>, "x">, tenon::output<"y">>;
using training = tenon::trainer<model, tenon::losses::cross_entropy<"y">, tenon::optimizers::sgd,
                                tenon::batch<8>, tenon::shards<2>>;

float step(training& train) { return train.step(); }

}  // namespace sharded
