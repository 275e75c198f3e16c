// given_rows: a user's tensor in a backend's own memory, described by strides. Feature j of row r at step t is at
// data[r * row + t / width * line + t % width * step + j * feature]: the steps of a grid are its places, line after line.
#pragma once

#include "tenon/meta/host_device.hpp"

#include <cstddef>

namespace tenon::inline v0_1::backend {

template <class N>
struct given_rows {
  const N* data;
  std::ptrdiff_t row, step, feature;
  std::ptrdiff_t line = 0;  // elements from one line of a grid to the next
  int width = 0;            // places of a line; 0: there is one line

  TENON_HOST_DEVICE constexpr std::ptrdiff_t place(int r, int t, int j) const {
    const int lines = width > 0 ? t / width : 0;
    return r * row + lines * line + (t - lines * width) * step + j * feature;
  }
};

// A backend with its own memory reads inputs from there with two kernels, and may have a third function:
//   void take_rows<D>(tag, int rows, int all_rows, int steps, int all_steps, const int* lengths, T outside,
//                     const given_rows<N>& from, const operand<T>& to)
//     to[t, r] = from[r, t] for the given rows and steps, up to each row's length (no lengths: all steps), else `outside`
//   std::ptrdiff_t first_outside(tag, int rows, int steps, const int* lengths, long long range, bool may_be_left_out,
//                                const given_rows<N>& from)
//     the first r * steps + t whose token is outside [0, range); -1 is accepted if may_be_left_out. rows * steps: none
//   bool is_own_memory(tag, const void* pointer)
//     does the pointer point into the backend's memory, as far as the backend can tell?

}  // namespace tenon::inline v0_1::backend
