// Fused kernels inside Thrust against the reference. Compiled twice: by the host's compiler for Thrust's own
// CPU system, by nvcc for a GPU.
#pragma once

#include "support/map_kernels.hpp"
#include <tenon/backend/reference/map.hpp>
#include <tenon/backend/thrust/map.hpp>

#include <doctest/doctest.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>

#include <cmath>
#include <vector>

namespace tenon::test {

/// A kernel's operands, in host or device memory: adjacent rows, with different numbers in every load.
template <class Kernel, class T, class Vector>
struct map_memory {
  static constexpr int load_count = Kernel::body.loads.size, store_count = Kernel::body.stores.size,
                       width = Kernel::body.width;
  std::vector<Vector> in, out;
  backend::operand<const T> loads[load_count + 1];
  backend::operand<T> stores[store_count + 1];

  map_memory(int steps, int rows) : in(load_count), out(store_count) {
    for (int l = 0; l < load_count; ++l) {
      const int features = Kernel::body.loads[l].broadcast ? 1 : width, count = steps * rows * features;
      std::vector<T> numbers;
      for (int i = 0; i < count; ++i) numbers.push_back(static_cast<T>(std::sin(0.7 * i + 1.3 * l)));
      in[static_cast<std::size_t>(l)] = Vector(numbers.begin(), numbers.end());
      loads[l] = {thrust::raw_pointer_cast(in[static_cast<std::size_t>(l)].data()), features,
                  rows * features};
    }
    for (int s = 0; s < store_count; ++s) {
      const int features = Kernel::body.stores[s].reduction == opcode::copy ? width : 1;
      out[static_cast<std::size_t>(s)] = Vector(static_cast<std::size_t>(steps * rows * features));
      stores[s] = {thrust::raw_pointer_cast(out[static_cast<std::size_t>(s)].data()), features,
                   rows * features};
    }
  }
};

template <class Kernel, class T>
void check_thrust_map(int steps, int rows) {
  map_memory<Kernel, T, thrust::device_vector<T>> got(steps, rows);
  map_memory<Kernel, T, std::vector<T>> expected(steps, rows);
  backend::map<Kernel>(backend::thrust_device{}, steps, rows, got.loads, got.stores);
  backend::map<Kernel>(backend::reference{}, steps, rows, expected.loads, expected.stores);
  const double near_enough = 16 * static_cast<double>(std::numeric_limits<T>::epsilon());
  for (std::size_t s = 0; s < expected.out.size(); ++s) {
    std::vector<T> numbers(got.out[s].size());
    thrust::copy(got.out[s].begin(), got.out[s].end(), numbers.begin());  // no element references
    double largest = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const double x = static_cast<double>(numbers[i]), y = static_cast<double>(expected.out[s][i]);
      if (std::isnan(x) && std::isnan(y)) continue;
      const double d = std::abs(x - y) / (1 + std::abs(y));
      if (!(d <= largest)) largest = d;
    }
    CHECK(largest <= near_enough);
  }
}

template <class Schedule, class T>
void check_thrust_schedule() {
  for_each_map<Schedule>([](auto kernel) { check_thrust_map<decltype(kernel), T>(3, 5); });
}

}  // namespace tenon::test

using namespace tenon::test;

TEST_CASE("the LSTM's kernels on Thrust, forward and backward") {
  check_thrust_schedule<lstm_step<10>::forward, float>();
  check_thrust_schedule<lstm_step<10>::backward, float>();
  check_thrust_schedule<lstm_step<10>::forward, double>();
  check_thrust_schedule<lstm_step<10>::backward, double>();
}
TEST_CASE("kernels that sum over a row on Thrust") {
  check_thrust_schedule<softmax_step<9>::forward, float>();
  check_thrust_schedule<softmax_step<9>::backward, float>();
}
TEST_CASE("every primitive on Thrust") {
  check_thrust_map<all_primitives<21>, float>(2, 3);
  check_thrust_map<all_primitives<21>, double>(2, 3);
}
