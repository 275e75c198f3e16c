// Bahdanau's model of examples/translate compared with the same model in PyTorch, and a short run.
#include "../../../examples/translate/bahdanau.hpp"

#include "examples/translate/first_batches.hpp"
#include "examples/translate/short_run.hpp"

namespace tenon::test {

using model = translation::bahdanau<tiny>;

TEST_CASE("the first 20 batches are PyTorch's") {
  compare_first_batches<model>("translate_bahdanau", {.learning_rate = 1e-2}, model::max_norm(5));
}
TEST_CASE("it trains, goes on from a checkpoint, and translates with beams of any width") {
  check_short_run<model>();
}

}  // namespace tenon::test
