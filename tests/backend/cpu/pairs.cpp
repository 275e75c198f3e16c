// Products between a block of steps and another sequence, on the CPU backend against the formula in double: groups, odd
// sizes, blocks that are not full, no steps; and nothing is written outside the results.
#include "support/guarded_rows.hpp"
#include <tenon/backend/cpu/pairs.hpp>

#include <doctest/doctest.h>

#include <tuple>

using namespace tenon::backend;
using tenon::test::guarded_rows;
using tenon::test::noise;

namespace {

template <class T>
constexpr double near_enough = 64 * static_cast<double>(std::numeric_limits<T>::epsilon());

// The lane of a step in a group.
constexpr int lane(int group, int t, int lanes) { return group * lanes + t; }

template <class T, int Groups, int Features, int Lanes>
struct meeting {
  static constexpr int width = Groups * Features;
  int block, steps;
  noise random{static_cast<std::uint64_t>(31 * Features + Lanes)};
  guarded_rows<T> in_time{Lanes, width}, in_source{steps, width}, in_lanes{steps, Groups*Lanes};

  meeting(int of_block, int of_steps) : block(of_block), steps(of_steps) {
    // the lanes past the block must have no effect
    in_time.fill([&](int t, int) { return t < block ? random() : std::numeric_limits<double>::quiet_NaN(); });
    in_source.fill([&](int, int) { return random(); });
    in_lanes.fill(
        [&](int, int n) { return n % Lanes < block ? random() : std::numeric_limits<double>::quiet_NaN(); });
  }
  paired_steps of() const { return {1, {0, block, nullptr}, {0, steps, nullptr}}; }
  static operand<const T> steps_of(const guarded_rows<T>& rows) { return {rows.data(), 0, rows.stride}; }
  static operand<T> steps_to(guarded_rows<T>& rows) { return {rows.data(), 0, rows.stride}; }
  static double number(const guarded_rows<T>& of, int row, int n) { return static_cast<double>(of(row, n)); }

  void check_dots() {
    guarded_rows<T> out(steps, Groups * Lanes);
    pair_dots<Groups, Features, Lanes>(cpu{}, of(), steps_of(in_time), steps_of(in_source), steps_to(out));
    for (int s = 0; s < steps; ++s)
      for (int g = 0; g < Groups; ++g)
        for (int t = 0; t < Lanes; ++t) {
          double expected = 0;
          for (int f = g * Features; f < (g + 1) * Features && t < block; ++f)
            expected += number(in_time, t, f) * number(in_source, s, f);
          CHECK(std::abs(number(out, s, lane(g, t, Lanes)) - expected) <= Features * near_enough<T>);
        }
    CHECK(out.intact());
  }
  void check_sums() {
    guarded_rows<T> out(block, width);
    pair_sums<Groups, Features, Lanes>(cpu{}, of(), steps_of(in_lanes), steps_of(in_source), steps_to(out));
    for (int t = 0; t < block; ++t)
      for (int f = 0; f < width; ++f) {
        double expected = 0;
        for (int s = 0; s < steps; ++s)
          expected += number(in_lanes, s, lane(f / Features, t, Lanes)) * number(in_source, s, f);
        CHECK(std::abs(number(out, t, f) - expected) <= (steps + 1) * near_enough<T>);
      }
    CHECK(out.intact());
  }
  void check_sums_over_time() {
    guarded_rows<T> out(steps, width);
    out.fill([&](int s, int f) { return s - 0.25 * f; });
    pair_sums_over_time<Groups, Features, Lanes>(cpu{}, of(), steps_of(in_lanes), steps_of(in_time),
                                                 steps_to(out));
    for (int s = 0; s < steps; ++s)
      for (int f = 0; f < width; ++f) {
        double expected = s - 0.25 * f;
        for (int t = 0; t < block; ++t)
          expected += number(in_lanes, s, lane(f / Features, t, Lanes)) * number(in_time, t, f);
        CHECK(std::abs(number(out, s, f) - expected) <= (std::abs(expected) + block) * near_enough<T>);
      }
    CHECK(out.intact());
  }
};

template <class T, int Groups, int Features, int Lanes>
void check_all() {
  CAPTURE(Groups);
  CAPTURE(Features);
  CAPTURE(Lanes);
  for (int block : {1, 3, Lanes})
    for (int steps : {0, 1, 5, 19}) {
      CAPTURE(block);
      CAPTURE(steps);
      meeting<T, Groups, Features, Lanes> both(block, steps);
      both.check_dots();
      both.check_sums();
      both.check_sums_over_time();
    }
}

}  // namespace

TEST_CASE_TEMPLATE("dot products and weighted sums of pairs", T, float, double) {
  constexpr int usual = lanes_of_pairs(cpu{}, 1, 1);
  check_all<T, 1, 1, usual>();
  check_all<T, 3, 5, usual>();
  check_all<T, 2, 16, usual>();
  check_all<T, 1, 300, usual>();  // deeper than a tile
  check_all<T, 2, 7, 5>();        // lanes that fill no vector
}

TEST_CASE("steps go into lanes, and a number for all groups into each") {
  constexpr int lanes = 5, block = 3, stride = 4;
  float x[block * stride], out[2 * lanes];
  for (int n = 0; n < block * stride; ++n) x[n] = static_cast<float>(n + 1);
  const paired_steps of{1, {0, block, nullptr}, {0, 1, nullptr}};
  to_lanes<2, 2, lanes>(cpu{}, of, operand<const float>{x, 0, stride}, operand<float>{out, 0, 0});
  const float of_two[2 * lanes]{1, 5, 9, 0, 0, 2, 6, 10, 0, 0},
      of_one[2 * lanes]{1, 5, 9, 0, 0, 1, 5, 9, 0, 0};
  for (int n = 0; n < 2 * lanes; ++n) CHECK(out[n] == of_two[n]);
  to_lanes<1, 2, lanes>(cpu{}, of, operand<const float>{x, 0, stride}, operand<float>{out, 0, 0});
  for (int n = 0; n < 2 * lanes; ++n) CHECK(out[n] == of_one[n]);
}

TEST_CASE("rows of a batch end where they are as long as they are") {
  constexpr int rows = 3, groups = 2, features = 3, lanes = 5, block = 4, steps = 3,
                width = groups * features;
  const int lengths[rows]{9, 7, 2},
      inner[rows]{2, 3, 3};  // the block begins at step 5: of the rows 4, 2 and no steps
  const paired_steps of{rows, {5, block, lengths}, {0, steps, inner}};
  noise random(3);
  // steps of rows; elements that must not be read are NaN
  const auto of_rows = [&](int all, int features_of_row, auto is_there) {
    std::vector<double> x(std::size_t(all * rows * features_of_row));
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] =
          is_there(int(i) / features_of_row / rows, int(i) / features_of_row % rows, int(i) % features_of_row)
              ? random()
              : std::numeric_limits<double>::quiet_NaN();
    return x;
  };
  const auto in_block = [&](int t, int r) { return t < block && 5 + t < lengths[r]; };
  const std::vector<double> a = of_rows(block, width, [&](int t, int r, int) { return in_block(t, r); }),
                            b = of_rows(steps, width, [&](int s, int r, int) { return s < inner[r]; }),
                            w = of_rows(steps, groups * lanes, [&](int s, int r, int n) {
                              return s < inner[r] && in_block(n % lanes, r);
                            });
  std::vector<double> dots(w.size(), 7), sums(a.size(), 7), over_time(b.size(), 7);
  const auto from = [](const std::vector<double>& x, int n) {
    return operand<const double>{x.data(), n, rows * n};
  };
  const auto to = [](std::vector<double>& x, int n) { return operand<double>{x.data(), n, rows * n}; };
  pair_dots<groups, features, lanes>(cpu{}, of, from(a, width), from(b, width), to(dots, groups * lanes));
  pair_sums<groups, features, lanes>(cpu{}, of, from(w, groups * lanes), from(b, width), to(sums, width));
  pair_sums_over_time<groups, features, lanes>(cpu{}, of, from(w, groups * lanes), from(a, width),
                                               to(over_time, width));
  const auto at = [](const std::vector<double>& x, int step, int r, int n, int of_row) {
    return x[std::size_t((step * rows + r) * of_row + n)];
  };
  for (int r = 0; r < rows; ++r) {
    for (int s = 0; s < steps; ++s)
      for (int n = 0; n < groups * lanes; ++n) {
        double expected = s < inner[r] ? 0 : 7;  // nothing is written past the end
        for (int f = 0; f < features && s < inner[r] && in_block(n % lanes, r); ++f)
          expected += at(a, n % lanes, r, n / lanes * features + f, width) *
                      at(b, s, r, n / lanes * features + f, width);
        CHECK(at(dots, s, r, n, groups * lanes) == doctest::Approx(expected));
      }
    for (int n = 0; n < width; ++n) {
      for (int t = 0; t < block; ++t) {
        double expected = in_block(t, r) ? 0 : 7;
        for (int s = 0; s < inner[r] && in_block(t, r); ++s)
          expected += at(w, s, r, n / features * lanes + t, groups * lanes) * at(b, s, r, n, width);
        CHECK(at(sums, t, r, n, width) == doctest::Approx(expected));
      }
      for (int s = 0; s < steps; ++s) {
        double expected = 7;
        for (int t = 0; t < block && s < inner[r] && in_block(t, r); ++t)
          expected += at(w, s, r, n / features * lanes + t, groups * lanes) * at(a, t, r, n, width);
        CHECK(at(over_time, s, r, n, width) == doctest::Approx(expected));
      }
    }
  }
}

TEST_CASE("each sequence goes as far as it is long") {
  const int lengths[]{2, 9, 0}, inner[]{1, 4, 3};
  std::vector<std::tuple<int, int, int>> seen;
  const auto note = [&](int row, int steps, int inner_steps) { seen.emplace_back(row, steps, inner_steps); };
  each_sequence(cpu{}, 3, lengths, 7, inner, 3, note);
  CHECK(seen == std::vector<std::tuple<int, int, int>>{{0, 2, 1}, {1, 7, 3}, {2, 0, 3}});
  seen.clear();
  each_sequence(cpu{}, 1, nullptr, 7, nullptr, 3, note);
  CHECK(seen == std::vector<std::tuple<int, int, int>>{{0, 7, 3}});
}
