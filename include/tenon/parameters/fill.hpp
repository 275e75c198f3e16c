// fill_parameter: the initial numbers of a parameter. Number i of parameter p is a function of the seed, p, i and p's
// initializer; an orthogonal matrix is computed from a whole matrix of such numbers. The numbers are the same in files
// compiled for other processors: see meta/rounding.hpp.
#pragma once

#include "tenon/backend/random.hpp"
#include "tenon/graph/network.hpp"
#include "tenon/meta/rounding.hpp"
#include "tenon/tensor/memory.hpp"

#include <cmath>
#include <cstdint>

namespace tenon::inline v0_1 {

// The start of every random sequence: same binary, same seed, same bits.
struct seed {
  std::uint64_t value = 0;
};

namespace engine {

// What the initial numbers of a parameter depend on.
struct parameter_start {
  int rows = 0, columns = 0, places = 1;  // columns 0: a vector
  ir::initializer start{};
  ir::rows_apart apart{};
  int padding = -1;

  constexpr parameter_start() = default;
  constexpr parameter_start(const ir::parameter& p)
      : rows(p.rows),
        columns(p.columns),
        places(p.places),
        start(p.start),
        apart(p.apart),
        padding(p.padding) {}
  constexpr int width() const { return columns > 0 ? columns : 1; }
};

// The standard normal distribution below x.
inline double normal_below(double x) { return 0.5 * std::erfc(-x * 0.70710678118654752); }
// The point below which the standard normal distribution, cut to low .. high, has the share `u`. Newton's method, with
// bisection for a step that would leave the known interval.
TENON_ROUNDS_EACH inline double cut_normal(double u, double low, double high) {
  TENON_ROUNDS_EACH_HERE
  if (low + high > 0) return -cut_normal(1 - u, -high, -low);  // the lower tail is more precise
  const double below = normal_below(low), wanted = below + u * (normal_below(high) - below);
  double x = 0.5 * (low + high);
  for (int k = 0; k < 100; ++k) {
    const double excess = normal_below(x) - wanted;
    (excess > 0 ? high : low) = x;
    const double step = excess / (0.39894228040143268 * std::exp(-0.5 * x * x)), nearer = x - step;
    if (std::abs(step) < 1e-13) break;
    x = nearer > low && nearer < high ? nearer : 0.5 * (low + high);
  }
  return x;
}

// The scale divided by the root of a fan of one block of `rows`.
inline double scale_of(const ir::initializer& start, int rows, int columns, int places) {
  if (start.over == init::fan::one) return start.scale;
  const double in = columns, out = double(rows) * places;
  return start.scale / std::sqrt(start.over == init::fan::in    ? in
                                 : start.over == init::fan::out ? out
                                                                : 0.5 * (in + out));
}

// Four numbers of the distribution, from words 4 n .. of the parameter's stream.
TENON_ROUNDS_EACH inline void random_four(double (&x)[4], const ir::initializer& start, double scale,
                                          int number, std::uint64_t n, seed s) {
  TENON_ROUNDS_EACH_HERE
  const auto random =
      backend::philox(s.value, static_cast<std::uint64_t>(number) + (std::uint64_t{1} << 63), n);
  for (int k = 0; k < 4; ++k) x[k] = (double(random.word[k]) + 0.5) * 0x1p-32;
  if (start.how == ir::initial::uniform) {
    for (double& v : x) v = scale * (2 * v - 1) + start.mean;
  } else if (start.how == ir::initial::truncated_normal) {
    const double low = (start.low - start.mean) / scale, high = (start.high - start.mean) / scale;
    for (double& v : x) {
      v = scale * cut_normal(v, low, high) + start.mean;
      v = v < start.low ? start.low : v > start.high ? start.high : v;
    }
  } else {  // Box and Muller 1958
    constexpr double turn = 6.283185307179586;
    const double r0 = std::sqrt(-2 * std::log(x[0])), r1 = std::sqrt(-2 * std::log(x[2])), a0 = turn * x[1],
                 a1 = turn * x[3];
    x[0] = scale * (r0 * std::cos(a0)) + start.mean;
    x[1] = scale * (r0 * std::sin(a0)) + start.mean;
    x[2] = scale * (r1 * std::cos(a1)) + start.mean;
    x[3] = scale * (r1 * std::sin(a1)) + start.mean;
  }
}

TENON_ROUNDS_EACH inline double dot_product(const double* a, const double* b, int n) {
  TENON_ROUNDS_EACH_HERE
  double sum[4]{};  // four at once
  int k = 0;
  for (; k + 4 <= n; k += 4)
    for (int j = 0; j < 4; ++j) sum[j] += a[k + j] * b[k + j];
  for (; k < n; ++k) sum[0] += a[k] * b[k];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}
// Makes `count` vectors of `length` numbers orthonormal (count <= length). Each gets the direction of what remains
// of it after the earlier ones are subtracted (Gram and Schmidt, twice, which is enough: Giraud et al. 2005). For
// normal numbers this is Q of their QR factorisation with a positive diagonal of R, and so uniform among the
// orthogonal matrices (Mezzadri 2007).
TENON_ROUNDS_EACH inline void orthonormalize(double* vectors, int count, int length) {
  TENON_ROUNDS_EACH_HERE
  for (int i = 0; i < count; ++i) {
    double* const v = vectors + std::ptrdiff_t(i) * length;
    for (int pass = 0; pass < 2; ++pass)
      for (int j = 0; j < i; ++j) {
        const double* const earlier = vectors + std::ptrdiff_t(j) * length;
        const double share = dot_product(v, earlier, length);
        for (int k = 0; k < length; ++k) v[k] -= share * earlier[k];
      }
    const double norm = std::sqrt(dot_product(v, v, length));
    for (int k = 0; k < length; ++k) v[k] /= norm;
  }
}
class numbers_in_double {
 public:
  explicit numbers_in_double(std::size_t count)
      : first(static_cast<double*>(tenon::detail::allocate(count * sizeof(double), alignof(double),
                                                           {"an orthogonal matrix", ""}))) {}
  numbers_in_double(const numbers_in_double&) = delete;
  ~numbers_in_double() { ::operator delete (first, std::align_val_t{alignof(double)}); }

  double* const first;
};
// Fills the rows from `first` on with an orthogonal matrix. Each such matrix uses another part of the parameter's
// stream, so that two matrices in one parameter are independent.
template <class T>
void fill_orthogonal(T* x, int first, int rows, int columns, double gain, int number, seed s) {
  const int count = rows < columns ? rows : columns, length = rows < columns ? columns : rows;
  const numbers_in_double kept(static_cast<std::size_t>(count) * static_cast<std::size_t>(length) + 3);
  double* const q = kept.first;
  for (std::ptrdiff_t i = 0; i < std::ptrdiff_t(count) * length; i += 4) {
    double four[4];
    const std::uint64_t part = static_cast<std::uint64_t>(first) + 1;
    random_four(four, {ir::initial::normal, 1}, 1, number, (part << 32) + static_cast<std::uint64_t>(i / 4),
                s);
    for (int k = 0; k < 4; ++k) q[i + k] = four[k];
  }
  orthonormalize(q, count, length);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      const double value =
          rows < columns ? q[std::ptrdiff_t(r) * length + c] : q[std::ptrdiff_t(c) * length + r];
      x[std::ptrdiff_t(first + r) * columns + c] = static_cast<T>(gain * value);
    }
}

// Rows first .. first + count - 1 of parameter `number`.
template <class T>
void fill_rows(T* x, const parameter_start& p, int first, int count, const ir::initializer& start, int number,
               seed s) {
  const int width = p.width(), rows = count / start.blocks;
  const std::ptrdiff_t begin = std::ptrdiff_t(first) * width, end = begin + std::ptrdiff_t(count) * width;
  if (start.how == ir::initial::constant) {
    for (std::ptrdiff_t i = begin; i < end; ++i) x[i] = static_cast<T>(start.scale);
  } else if (start.how == ir::initial::identity) {
    for (std::ptrdiff_t i = begin; i < end; ++i)
      x[i] = static_cast<T>((i / width - first) % rows == i % width ? start.scale : 0);
  } else if (start.how == ir::initial::orthogonal) {
    for (int b = 0; b < start.blocks; ++b)
      fill_orthogonal(x, first + b * rows, rows, width, start.scale, number, s);
  } else {
    const double scale = scale_of(start, rows, p.columns, p.places);
    for (std::ptrdiff_t i = begin / 4 * 4; i < end; i += 4) {
      double four[4];
      random_four(four, start, scale, number, static_cast<std::uint64_t>(i / 4), s);
      for (int k = 0; k < 4; ++k)
        if (i + k >= begin && i + k < end) x[i + k] = static_cast<T>(four[k]);
    }
  }
}
// The initial numbers of parameter `number`.
template <class T>
void fill_parameter(T* x, const parameter_start& p, int number, seed s) {
  fill_rows(x, p, 0, p.rows, p.start, number, s);
  if (p.apart.count > 0) fill_rows(x, p, p.apart.first, p.apart.count, p.apart.start, number, s);
  if (p.padding >= 0)
    for (int j = 0; j < p.columns; ++j) x[std::ptrdiff_t(p.padding) * p.columns + j] = T(0);
}

}  // namespace engine
}  // namespace tenon::inline v0_1
