// A moving average of parameters (Polyak and Juditsky 1992, with exponential weights).
#pragma once

#include "tenon/backend/instruction_set.hpp"
#include "tenon/backend/memory.hpp"
#include "tenon/diagnostics/input_error.hpp"
#include "tenon/diagnostics/number_text.hpp"
#include "tenon/parameters/parameters.hpp"

#include <string>

namespace tenon::inline v0_1::engine {

inline void check_averaging(double decay) {
  if (!(decay >= 0 && decay < 1))
    throw input_error("average_decay: expected a number from 0 to below 1, got " +
                      tenon::detail::fixed(decay));
}

inline namespace TENON_INSTRUCTION_SET {

// average := decay average + (1 - decay) theta, in the backend's memory. It starts as theta.
template <class Backend, class Parameters, class T>
void follow(parameter_block<T>& average, const Parameters& theta, double decay, ir::characters graph) {
  constexpr int size = Parameters::block_size;
  const bool is_first = average.size() == 0;
  if (is_first) average = parameter_block<T>(size, {"the average of the parameters", graph});
  const T share = is_first ? T(1) : static_cast<T>(1 - decay);
  if constexpr (backend::HasOwnMemory<Backend>) {
    move_towards(Backend{}, size, share, data_on<Backend>(theta), average.template write_on<Backend>());
  } else {
    const T* const from = theta.data();
    T* const to = average.data();
    for (int k = 0; k < size; ++k) to[k] += share * (from[k] - to[k]);
  }
}

}  // namespace TENON_INSTRUCTION_SET
}  // namespace tenon::inline v0_1::engine
