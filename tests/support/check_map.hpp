// Checks fused kernels on the CPU backend against the reference in double.
#pragma once

#include "support/guarded_rows.hpp"
#include <tenon/backend/cpu/map.hpp>
#include <tenon/backend/reference/map.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <vector>

namespace tenon::test {

using namespace tenon::ir;

/// All rows of all steps, the same row for all (a parameter), or one row for each sequence.
enum class layout { all_rows, one_row, one_step };

template <class T>
constexpr double near_enough =
    std::is_same_v<T, float> ? 2e-6 : 2e-13;  // erf in double; the rest keeps 1e-15

template <class T>
using map_function = void (*)(int steps, int rows, const backend::operand<const T>* loads,
                              const backend::operand<T>* stores);

/// One kernel, as both backends run it; the check itself is compiled once for all kernels.
template <class T>
void check_map(const map_body& body, map_function<T> on_cpu, map_function<double> on_reference, int steps,
               int rows, int gap, layout first_load) {
  const int width = body.width;
  CAPTURE(width);
  CAPTURE(steps);
  CAPTURE(rows);
  CAPTURE(gap);
  noise random(static_cast<std::uint64_t>(width + rows));
  std::vector<std::unique_ptr<guarded_rows<T>>> in, out;
  std::vector<std::vector<double>> in_, out_;
  backend::operand<const T> loads[32];
  backend::operand<T> stores[32];
  backend::operand<const double> loads_[32];
  backend::operand<double> stores_[32];
  for (int l = 0; l < body.loads.size; ++l) {
    const int features = body.loads[l].broadcast ? 1 : width;
    const layout of = l == 0 ? first_load : body.loads[l].invariant ? layout::one_step : layout::all_rows;
    const int stored = of == layout::all_rows ? steps * rows : of == layout::one_step ? rows : 1;
    in.push_back(std::make_unique<guarded_rows<T>>(stored, features, features + gap, random));
    in_.push_back(in.back()->numbers());
    const int row = of == layout::one_row ? 0 : 1, step = of == layout::all_rows ? rows : 0;
    loads[l] = {in.back()->data(), row * (features + gap), step * (features + gap)};
    loads_[l] = {in_.back().data(), row * features, step * features};
  }
  for (int s = 0; s < body.stores.size; ++s) {
    const int features = body.stores[s].reduction == opcode::copy ? width : 1;
    out.push_back(std::make_unique<guarded_rows<T>>(steps * rows, features, features + gap));
    out_.emplace_back(static_cast<std::size_t>(steps * rows * features));
    stores[s] = {out.back()->data(), features + gap, rows * (features + gap)};
    stores_[s] = {out_.back().data(), features, rows * features};
  }
  on_cpu(steps, rows, loads, stores);
  on_reference(steps, rows, loads_, stores_);
  for (int s = 0; s < body.stores.size; ++s) {
    CAPTURE(s);
    const bool sums = body.stores[s].reduction == opcode::row_sum;
    const std::size_t at = static_cast<std::size_t>(s);
    CHECK(distance(*out[at], out_[at]) <= near_enough<T> * (sums ? width : 1));
    CHECK(out[at]->intact());
  }
}
template <class Kernel, class T>
void check_map(int steps, int rows, int gap, layout first_load = layout::all_rows) {
  check_map<T>(
      Kernel::body,
      [](int t, int r, auto* loads, auto* stores) {
        backend::map<Kernel>(backend::cpu{}, t, r, loads, stores);
      },
      [](int t, int r, auto* loads, auto* stores) {
        backend::map<Kernel>(backend::reference{}, t, r, loads, stores);
      },
      steps, rows, gap, first_load);
}

}  // namespace tenon::test
