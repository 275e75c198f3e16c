// Maps whose rows use the same operands at every step, against the reference in double.
#include "support/check_map.hpp"
#include <tenon/backend/cpu/map_steps.hpp>

#include <cmath>
#include <limits>

using namespace tenon;
using namespace tenon::test;

namespace {

template <int Width, class Fill>
constexpr map_body body_with(Fill fill) {
  map_body b;
  b.width = Width;
  const auto load = [&](bool broadcast, bool invariant) {
    const int l = b.loads.add({.broadcast = broadcast, .invariant = invariant});
    return short(b.code.add({.code = opcode::input, .first = l, .size = broadcast ? 1 : Width}));
  };
  const auto line = [&](opcode code, short left, short right) {
    return short(b.code.add({.code = code, .a = left, .b = right, .size = Width}));
  };
  fill(b, load, line);
  return b;
}
// As in the gradient of attention: y = w g + k (x - q), with x and w of each step, and g, q and k of each row.
template <int Width, opcode Function = opcode::copy>
struct mixed {
  static constexpr map_body body = body_with<Width>([](auto& b, auto load, auto line) {
    const short x = load(false, false), w = load(true, false), g = load(false, true), q = load(false, true),
                k = load(true, true);
    const short y = line(opcode::add, line(opcode::multiply, w, g),
                         line(opcode::multiply, k, line(opcode::subtract, x, q)));
    b.stores.add({.local = line(Function, y, -1)});
    b.stores.add({.local = y, .reduction = opcode::row_sum});
    b.stores.add({.local = y, .reduction = opcode::row_max});
  });
};
// Only the first store: a row need not be seen as a whole.
template <int Width>
struct not_reduced {
  static constexpr map_body body = [] {
    map_body b = mixed<Width>::body;
    b.stores.size = 1;
    return b;
  }();
};
template <class Kernel, class T = float>
using steps_of = backend::detail::steps_of_rows<Kernel, T, primitive>;

constexpr int size = backend::simd::vector<float>::size;
static_assert(backend::detail::row_traits<mixed<3 * size>, float>::held == 2 &&
              steps_of<mixed<3 * size>>::together == 3);
static_assert(steps_of<mixed<3 * size>>::pays);
static_assert(!steps_of<mixed<400 * size>>::pays, "a row that is reduced has to fit into the registers");
static_assert(steps_of<not_reduced<400 * size>>::pays, "others go through in blocks");
static_assert(!steps_of<mixed<3 * size, opcode::tanh>>::pays, "where much is computed, loads cost nothing");

template <int Width, class T>
void check_width() {
  for (int rows : {1, 3, 8})
    for (int steps : {0, 1, 2, 7})
      for (int gap : {0, 3}) {
        check_map<mixed<Width>, T>(steps, rows, gap);
        check_map<not_reduced<Width>, T>(steps, rows, gap);
      }
}

}  // namespace

TEST_CASE_TEMPLATE("rows that meet the same operands at every step", T, float, double) {
  check_width<1, T>();
  check_width<2, T>();
  check_width<7, T>();
  check_width<16, T>();
  check_width<19, T>();
  check_width<64, T>();
  check_width<133, T>();
}

// --- chains: as in the gradient of attention ---------------------------------------------------------------

namespace {

template <int Width>
struct dot_with_row {  // e = g . x
  static constexpr map_body body = body_with<Width>([](auto& b, auto load, auto line) {
    const short x = load(false, false), g = load(false, true);
    b.stores.add({.local = line(opcode::multiply, x, g), .reduction = opcode::row_sum});
  });
};
struct weighed {  // d = w e
  static constexpr map_body body = body_with<1>([](auto& b, auto load, auto line) {
    const short w = load(false, false), e = load(false, false);
    b.stores.add({.local = line(opcode::multiply, w, e)});
  });
};
template <int Width>
struct spread {  // y = d q, and the sum of d x over all steps
  static constexpr map_body body = body_with<Width>([](auto& b, auto load, auto line) {
    const short d = load(true, false), q = load(false, true), x = load(false, false);
    b.stores.add({.local = line(opcode::multiply, d, q)});
    b.stores.add({.local = line(opcode::multiply, d, x), .over_steps = true});
  });
};
template <int Width>
struct wide_row {  // too wide for registers to hold anything
  static constexpr map_body body = body_with<Width>([](auto& b, auto load, auto line) {
    const short x = load(false, false);
    b.stores.add({.local = line(opcode::multiply, x, x)});
  });
};
static_assert(backend::chains_maps<float, dot_with_row<3 * size>, weighed, spread<3 * size>>(backend::cpu{}));
static_assert(
    !backend::chains_maps<float, dot_with_row<400 * size>, weighed, spread<400 * size>>(backend::cpu{}),
    "all that the maps hold has to fit into the registers");

template <int Width, class T>
void check_chain(int first, int steps, int rows, const std::vector<int>& lengths) {
  CAPTURE(Width);
  CAPTURE(first);
  CAPTURE(rows);
  noise random(9);
  guarded_rows<T> x(steps * rows, Width, Width, random), w(steps * rows, 1, 1, random),
      g(rows, Width, Width, random), q(rows, Width, Width, random), e(steps * rows, 1), d(steps * rows, 1),
      y(steps * rows, Width), sum(rows, Width, Width, random);
  const std::vector<double> x_ = x.numbers(), w_ = w.numbers(), g_ = g.numbers(), q_ = q.numbers(),
                            y_before = y.numbers();
  std::vector<double> y_ = y_before, sum_ = sum.numbers();
  const auto row = [](auto& of, int width, int row_count) {
    return backend::operand<T>{of.data(), width, row_count * width};
  };
  const auto read = [](auto& of, int width, int row_count) {
    return backend::operand<const T>{of.data(), width, row_count * width};
  };
  const backend::operand<const T> loads0[]{read(x, Width, rows), read(g, Width, 0)},
      loads1[]{read(w, 1, rows), read(e, 1, rows)},
      loads2[]{read(d, 1, rows), read(q, Width, 0), read(x, Width, rows)};
  const backend::operand<T> stores0[]{row(e, 1, rows)}, stores1[]{row(d, 1, rows)},
      stores2[]{row(y, Width, rows), row(sum, Width, 0)};
  const backend::operand<const T>* const loads[]{loads0, loads1, loads2};
  const backend::operand<T>* const stores[]{stores0, stores1, stores2};
  backend::map_chain<dot_with_row<Width>, weighed, spread<Width>>(
      backend::cpu{}, first, steps, rows, lengths.empty() ? nullptr : lengths.data(), loads, stores);

  const auto at = [](int k) { return static_cast<std::size_t>(k); };
  for (int t = 0; t < steps; ++t)
    for (int r = 0; r < rows; ++r) {
      if (!lengths.empty() && first + t >= lengths[at(r)]) continue;
      const int n = t * rows + r;
      double dot = 0;
      for (int j = 0; j < Width; ++j) dot += x_[at(n * Width + j)] * g_[at(r * Width + j)];
      for (int j = 0; j < Width; ++j) {
        y_[at(n * Width + j)] = w_[at(n)] * dot * q_[at(r * Width + j)];
        sum_[at(r * Width + j)] += w_[at(n)] * dot * x_[at(n * Width + j)];
      }
    }
  CHECK(distance(y, y_) <= Width * near_enough<T>);
  CHECK(distance(sum, sum_) <= Width * near_enough<T>);
  CHECK(y.intact());
  CHECK(sum.intact());
  CHECK(d.intact());
}
template <int Width, class T>
void check_chains() {
  for (int rows : {1, 3, 5})
    for (int first : {0, 2}) {
      check_chain<Width, T>(first, 4, rows, {});
      std::vector<int> lengths;
      for (int r = 0; r < rows; ++r) lengths.push_back((3 * r + 1) % 8);
      check_chain<Width, T>(first, 4, rows, lengths);
      check_chain<Width, T>(first, 0, rows, lengths);
    }
}

}  // namespace

TEST_CASE_TEMPLATE("chains of maps end where their rows end", T, float, double) {
  check_chains<1, T>();
  check_chains<5, T>();
  check_chains<16, T>();
  check_chains<37, T>();
  check_chains<64, T>();
}

TEST_CASE("a maximum passes over what is not a number, as in every map" *
          doctest::skip(__FINITE_MATH_ONLY__)) {
  constexpr int width = 2 * size + 1;
  noise random(2);
  for (int nan_at : {0, size, 2 * size}) {
    guarded_rows<float> x(1, width, width, random), w(1, 1, 1, random), g(1, width, width, random),
        q(1, width, width, random), k(1, 1, 1, random), y(1, width), sum(1, 1), most(1, 1);
    x.data()[nan_at] = std::numeric_limits<float>::quiet_NaN();
    const backend::operand<const float> loads[]{
        {x.data(), width, 0}, {w.data(), 1, 0}, {g.data(), width, 0}, {q.data(), width, 0}, {k.data(), 1, 0}};
    const backend::operand<float> stores[]{{y.data(), width, 0}, {sum.data(), 1, 0}, {most.data(), 1, 0}};
    backend::map<mixed<width>>(backend::cpu{}, 1, 1, loads, stores);
    float expected = -std::numeric_limits<float>::infinity();
    for (int j = 0; j < width; ++j)
      if (y(0, j) > expected) expected = static_cast<float>(y(0, j));
    CHECK(float(most(0, 0)) == expected);
    CHECK(std::isnan(float(sum(0, 0))));
  }
}
