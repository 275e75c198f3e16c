// The transformer of examples/translate compared with PyTorch's blocks, and a short run.
#include "../../../examples/translate/transformer.hpp"

#include "examples/translate/first_batches.hpp"
#include "examples/translate/short_run.hpp"

namespace tenon::test {

constexpr translation::sizes of_four_heads = [] {
  translation::sizes s = tiny;
  s.embedding = 8;
  return s;
}();
using model = translation::transformer<of_four_heads>;

TEST_CASE("the first 20 batches are PyTorch's") {
  compare_first_batches<model>("translate_transformer", {.learning_rate = 1e-3}, model::max_norm(5));
}
TEST_CASE("it trains, goes on from a checkpoint, and translates with beams of any width") {
  check_short_run<model>();
}

}  // namespace tenon::test
