// step_counts: how many steps each row of a stream has taken. Operations that see earlier steps, or their own position, read this.
#pragma once

#include "tenon/engine/inputs/axis_lengths.hpp"
#include "tenon/engine/run/stream_position.hpp"
#include "tenon/engine/session/stream_states.hpp"

#include <algorithm>

namespace tenon::inline v0_1::engine {

template <class Plan>
class step_counts {
 public:
  static constexpr bool are_counted = Plan::has_counted_steps;
  static constexpr int B = Plan::batch, axis = stepped_axis<Plan>;

  int of_row(int row) const { return taken_[row]; }
  int most() const { return *std::max_element(std::begin(taken_), std::end(taken_)); }
  void reset() { std::fill(std::begin(taken_), std::end(taken_), 0); }

  // Stores how many steps each row has taken before each step of the next run.
  void begin_run(axis_lengths<Plan>& lengths, stream_position& position) {
    if constexpr (are_counted) {
      int *earlier = lengths.earlier_steps(), *so_far = lengths.steps_so_far();
      const int* const of_rows = lengths.of_axes()[axis];
      const int steps = Plan::block > 1 ? lengths.steps()[axis] : 1;
      for (int t = 0; t < steps; ++t, earlier += B) {
        for (int r = 0; r < B; ++r) {
          earlier[r] = of_rows[r] > t ? taken_[r] + t : -1;
          so_far[t * B + r] = earlier[r] + 1;
        }
        so_far_[t] = sum_up(so_far + t * B);
      }
      if constexpr (Plan::block > 1) {
        so_far += Plan::block * B;
        for (int r = 0; r < B; ++r) so_far[r] = of_rows[r] > 0 ? taken_[r] + of_rows[r] : 0;
        so_far_[Plan::block] = sum_up(so_far);
      }
      position.so_far = so_far_;
    }
  }
  void ran(const axis_lengths<Plan>& lengths) {
    if constexpr (are_counted)
      for (int r = 0; r < B; ++r) taken_[r] += lengths.of_axes()[axis][r];
  }
  // Row r continues from row rows[r]. `rows` is overwritten.
  void permute(int* rows, int n) {
    for (int r = 0; r < n; ++r) rows[r] = taken_[rows[r]];
    std::copy_n(rows, n, taken_);
  }
  template <class Others>
  void copy(const step_counts<Others>& from, int rows) {
    reset();
    for (int r = 0; r < rows; ++r) taken_[r] = from.of_row(r);
  }

 private:
  static stream_position::taken sum_up(const int* of_rows) {
    const int most = *std::max_element(of_rows, of_rows + B);
    return {most, *std::min_element(of_rows, of_rows + B) == most};
  }
  int taken_[are_counted ? B : 1]{};  // by row: steps since the beginning of its sequence
  stream_position::taken so_far_[are_counted ? Plan::block + 1 : 1]{};
};

}  // namespace tenon::inline v0_1::engine
