// Blocks of steps that meet another sequence, on the CPU backend against the formula in double: groups, odd sizes, blocks
// that are not full, no steps; and nothing is written beside what is theirs.
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

// Of step t and feature f, in lanes of groups.
constexpr int lane(int group, int t, int lanes) { return group * lanes + t; }

template <class T, int Groups, int Features, int Lanes>
struct meeting {
  static constexpr int width = Groups * Features;
  int block, steps;
  noise random{static_cast<std::uint64_t>(31 * Features + Lanes)};
  guarded_rows<T> in_time{Lanes, width}, in_source{steps, width}, in_lanes{steps, Groups*Lanes};

  meeting(int of_block, int of_steps) : block(of_block), steps(of_steps) {
    // nothing of the lanes behind the block may matter
    in_time.fill([&](int t, int) { return t < block ? random() : std::numeric_limits<double>::quiet_NaN(); });
    in_source.fill([&](int, int) { return random(); });
    in_lanes.fill(
        [&](int, int n) { return n % Lanes < block ? random() : std::numeric_limits<double>::quiet_NaN(); });
  }
  static double number(const guarded_rows<T>& of, int row, int n) { return static_cast<double>(of(row, n)); }

  void check_dots() {
    guarded_rows<T> out(steps, Groups * Lanes);
    pair_dots<Groups, Features, Lanes>(cpu{}, block, steps, in_time.data(), in_time.stride, in_source.data(),
                                       in_source.stride, out.data(), out.stride);
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
    pair_sums<Groups, Features, Lanes>(cpu{}, block, steps, in_lanes.data(), in_lanes.stride,
                                       in_source.data(), in_source.stride, out.data(), out.stride);
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
    pair_sums_over_time<Groups, Features, Lanes>(cpu{}, block, steps, in_lanes.data(), in_lanes.stride,
                                                 in_time.data(), in_time.stride, out.data(), out.stride);
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
      both.check_dots(), both.check_sums(), both.check_sums_over_time();
    }
}

}  // namespace

TEST_CASE_TEMPLATE("dot products and weighted sums of pairs", T, float, double) {
  constexpr int usual = lanes_of_pairs(cpu{});
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
  to_lanes<2, 2, lanes>(cpu{}, block, x, stride, out);
  const float of_two[2 * lanes]{1, 5, 9, 0, 0, 2, 6, 10, 0, 0},
      of_one[2 * lanes]{1, 5, 9, 0, 0, 1, 5, 9, 0, 0};
  for (int n = 0; n < 2 * lanes; ++n) CHECK(out[n] == of_two[n]);
  to_lanes<1, 2, lanes>(cpu{}, block, x, stride, out);
  for (int n = 0; n < 2 * lanes; ++n) CHECK(out[n] == of_one[n]);
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
