// On Thrust's device each sum runs in one thread, in order: a row of a batch is the single run, bit by bit, without an option.
#include "backend/thrust/fenced.hpp"
#include "support/check_batches.hpp"

#include <doctest/doctest.h>

namespace tenon::test {
using namespace nn;

TEST_CASE("rows of a batch on a device") {
  check_batches<of_steps<lstm<19, bidirectional>>, backend::thrust_device>();
  check_batches<without_steps<chain<linear<41>, layer_norm, activation::softmax>, 600>,
                backend::thrust_device>();
  check_batches<of_steps<transformer_encoder<20, 2, 31>, 20, 19>, backend::thrust_device>();
}

}  // namespace tenon::test
