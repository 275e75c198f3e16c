// Golden tensors to and from tenon views, and comparison with the place of the worst entry.
#pragma once

#include "golden/golden.hpp"
#include "tenon/tensor/view.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::test {

// The golden tensor as a view of its own shape.
inline view<const float> shaped(const golden::tensor& t) {
  const auto n = [&](std::size_t k) { return static_cast<std::ptrdiff_t>(t.shape[k]); };
  switch (t.shape.size()) {
    case 1:
      return {t.values.data(), {n(0)}, {1}};
    case 2:
      return {t.values.data(), {n(0), n(1)}, {n(1), 1}};
    case 3:
      return {t.values.data(), {n(0), n(1), n(2)}, {n(1) * n(2), n(2), 1}};
    case 4:
      return {t.values.data(), {n(0), n(1), n(2), n(3)}, {n(1) * n(2) * n(3), n(2) * n(3), n(3), 1}};
    default:
      throw std::invalid_argument("golden tensor of rank " + std::to_string(t.shape.size()));
  }
}
// [1, batch, features] loses its axis of layers: an input of one layer has none.
template <int Layers>
view<const float> with_layers(const golden::tensor& t) {
  if (Layers > 1) return shaped(t);
  return {t.values.data(), {t.shape[1], t.shape[2]}, {t.shape[2], 1}};
}
inline std::vector<int> as_ints(const golden::tensor& t) {
  std::vector<int> result;
  for (float v : t.values) result.push_back(static_cast<int>(v));
  return result;
}

// Calls f(element of v, value of t) in C order; shapes must agree except for leading axes of length one.
template <class T, class F>
void zip(const view<T>& v, const golden::tensor& t, F f) {
  REQUIRE(v.size() == t.values.size());
  std::size_t k = 0;
  const auto next = [&](auto& element, auto...) { f(element, t.values[k++]); };
  if (v.dimension() == 1) {
    for (std::size_t i = 0; i < v.shape(0); ++i) next(v(i));
  } else if (v.dimension() == 2) {
    for (std::size_t i = 0; i < v.shape(0); ++i)
      for (std::size_t j = 0; j < v.shape(1); ++j) next(v(i, j));
  } else if (v.dimension() == 3) {
    for (std::size_t i = 0; i < v.shape(0); ++i)
      for (std::size_t j = 0; j < v.shape(1); ++j)
        for (std::size_t l = 0; l < v.shape(2); ++l) next(v(i, j, l));
  } else {
    for (std::size_t i = 0; i < v.shape(0); ++i)
      for (std::size_t j = 0; j < v.shape(1); ++j)
        for (std::size_t l = 0; l < v.shape(2); ++l)
          for (std::size_t m = 0; m < v.shape(3); ++m) next(v(i, j, l, m));
  }
}
template <class T>
void fill(const view<T>& v, const golden::tensor& t) {
  zip(v, t, [](T& x, float value) { x = static_cast<T>(value); });
}
// |got - expected| <= absolute + 1.3e-6 |expected| everywhere; the worst entry is reported.
template <class T>
void compare(const view<T>& v, const golden::tensor& t, double absolute, std::string_view what) {
  double worst = -1, got = 0, expected = 0;
  zip(v, t, [&](const T& x, float value) {
    const double excess = std::abs(double(x) - double(value)) - 1.3e-6 * std::abs(double(value));
    if (!(excess <= worst)) {
      worst = excess;
      got = double(x);
      expected = double(value);
    }
  });
  INFO(std::string(what), ": worst entry got ", got, ", expected ", expected);
  CHECK(worst <= absolute);
}

}  // namespace tenon::test
