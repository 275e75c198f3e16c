// Sutskever's model of examples/translate compared with PyTorch's LSTM, and a short run.
#include "../../../examples/translate/sutskever.hpp"

#include "examples/translate/first_batches.hpp"
#include "examples/translate/short_run.hpp"

namespace tenon::test {

using model = translation::sutskever<tiny>;

TEST_CASE("the first 20 batches are PyTorch's") {
  using by_sgd = translation::sutskever_with_sgd<tiny>;
  compare_first_batches<by_sgd>("translate_sutskever", {.learning_rate = 0.7 * 5}, by_sgd::max_norm(5));
}
TEST_CASE("it trains, goes on from a checkpoint, and translates with beams of any width") {
  check_short_run<model>();
}

}  // namespace tenon::test
