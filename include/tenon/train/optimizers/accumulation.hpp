// accumulated_positions: the factors that scale the gradients of several batches, so that together they are the
// gradient of the mean over all their positions.
#pragma once

#include "tenon/backend/instruction_set.hpp"
#include "tenon/diagnostics/input_error.hpp"

#include <string>

namespace tenon::inline v0_1::engine {

inline void check_accumulation(int batches) {
  if (batches < 1)
    throw input_error("accumulate: expected at least 1 batch for an update, got " + std::to_string(batches));
}

inline namespace TENON_INSTRUCTION_SET {

// The gradient of each batch is that of a mean over the batch's positions. While batches are added, their sum over all
// positions is kept divided by the number of positions of the last one.
class accumulated_positions {
 public:
  // Call before the gradient of a batch is added; returns the factor for the sum so far.
  double add(double positions) {
    if (!(positions > 0)) return 1;
    const double factor = unit_ > 0 ? unit_ / positions : 1;
    unit_ = positions;
    all_ += positions;
    return factor;
  }
  // Call when all are added; returns the factor for the sum.
  double mean() const { return all_ > unit_ ? unit_ / all_ : 1; }

 private:
  double all_ = 0, unit_ = 0;  // of all batches, and of the last
};

}  // namespace TENON_INSTRUCTION_SET
}  // namespace tenon::inline v0_1::engine
