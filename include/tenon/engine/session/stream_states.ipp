// The bodies of stream_states.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <utility>

namespace tenon::inline v0_1::engine {

[[gnu::noinline]] TENON_INLINE void refuse_step_past_bound(int row, int taken, int steps, characters axis) {
  if (steps == 1)
    tenon::detail::throw_input_error(
        {"step: row ", row, " has taken ", taken, " steps, and the axis '", axis,
         "' has no more; reset the stream, or give it a larger bound, steps<n, \"", axis, "\">"});
  tenon::detail::throw_input_error(
      {"run: row ", row, " has taken ", taken, " steps, and the axis '", axis, "' has no ", steps,
       " more; reset the stream, or give it a larger bound, steps<n, \"", axis, "\">"});
}
[[gnu::noinline]] TENON_INLINE void refuse_run_of_nothing() {
  throw input_error("run: expected at least one step, got none in any row");
}
[[gnu::noinline]] TENON_INLINE void refuse_other_steps(characters first, int expected, characters input,
                                                       int got, int row) {
  tenon::detail::throw_input_error({"run: row ", row, " has ", expected, " steps of input '", first, "' and ",
                                    got, " of input '", input, "'; a run takes as many of each"});
}

TENON_INLINE void check_permutation(std::size_t rows, int batch, bool carries) {
  if (rows == 0 || std::cmp_greater(rows, batch))
    tenon::detail::throw_input_error(
        {"permute_rows: expected from 1 to ", batch, " rows, as batch<", batch, "> has, got ", rows});
  if (!carries)
    throw input_error(
        "permute_rows: the stream is at the beginning, where no row has a state yet; take a step first");
}

[[gnu::noinline]] TENON_INLINE void refuse_more_rows(const char* call, int expected, int got) {
  tenon::detail::throw_input_error({call, ": expected at most ", expected, " rows, as the stream has, got ",
                                    got, "; reset the stream, or choose their states by permute_rows"});
}

}  // namespace tenon::inline v0_1::engine
