// Products between a block of steps and another sequence, in the emulation of blocks and threads, against the formula in double: rows of
// different lengths, groups, sizes that do not divide tiles, blocks that are not full; and nothing is written outside the results.
#include "tenon/backend/cuda/pairs.hpp"

#include "support/guarded_rows.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace tenon::test {

using namespace backend;

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// How many steps of the block, and of the inner axis, each row has.
struct sequences {
  int first, block, steps;
  std::vector<int> lengths, inner_lengths;  // none: no row ends early
  int rows;

  int in_block(int r) const {
    return lengths.empty() ? block : std::clamp(lengths[std::size_t(r)] - first, 0, block);
  }
  int inner(int r) const {
    return inner_lengths.empty() ? steps : std::min(inner_lengths[std::size_t(r)], steps);
  }
  paired_steps of() const {
    const auto list = [](const std::vector<int>& of) { return of.empty() ? nullptr : of.data(); };
    return {rows, {first, block, list(lengths)}, {0, steps, list(inner_lengths)}};
  }
};

template <class T, int Groups, int Features, int Lanes>
struct meeting {
  static constexpr int width = Groups * Features, wide = Groups * Lanes;
  const sequences seen;
  int rows = seen.rows;
  noise random{31 * Features + Lanes};
  // [step][row]; elements that must not be read are NaN
  guarded_rows<T> in_time{seen.block * rows, width, width + 3}, in_source{seen.steps * rows, width},
      in_lanes{seen.steps * rows, wide};

  explicit meeting(const sequences& of) : seen(of) {
    in_time.fill([&](int n, int) { return is_there(n, seen.in_block(n % rows)) ? random() : no_number; });
    in_source.fill([&](int n, int) { return is_there(n, seen.inner(n % rows)) ? random() : no_number; });
    in_lanes.fill([&](int n, int lane) {
      const bool meets = is_there(n, seen.inner(n % rows)) && lane % Lanes < seen.in_block(n % rows);
      return meets ? random() : no_number;
    });
  }
  bool is_there(int n, int end) const { return n / rows < end; }
  operand<const T> from(const guarded_rows<T>& x) const { return {x.data(), x.stride, rows * x.stride}; }
  operand<T> to(guarded_rows<T>& x) const { return {x.data(), x.stride, rows * x.stride}; }
  double at(const guarded_rows<T>& x, int step, int r, int n) const { return double(x(step * rows + r, n)); }
  static constexpr double allowed(int terms) {
    return (terms + 8) * double(std::numeric_limits<T>::epsilon());
  }

  void check_dots() {
    guarded_rows<T> out(seen.steps * rows, wide, wide + 1);
    pair_dots<Groups, Features, Lanes>(cuda{}, seen.of(), from(in_time), from(in_source), to(out));
    std::vector<double> expected;
    for (int s = 0; s < seen.steps; ++s)
      for (int r = 0; r < rows; ++r)
        for (int n = 0; n < wide; ++n) {
          const int first = n / Lanes * Features, t = n % Lanes;
          double sum = 0;
          for (int f = first; f < first + Features && s < seen.inner(r) && t < seen.in_block(r); ++f)
            sum += at(in_time, t, r, f) * at(in_source, s, r, f);
          expected.push_back(sum);
        }
    CHECK(distance(out, expected) <= allowed(Features));
    CHECK(out.intact());
  }
  void check_sums() {
    guarded_rows<T> out(seen.block * rows, width, width + 2);
    pair_sums<Groups, Features, Lanes>(cuda{}, seen.of(), from(in_lanes), from(in_source), to(out));
    std::vector<double> expected;
    for (int t = 0; t < seen.block; ++t)
      for (int r = 0; r < rows; ++r)
        for (int f = 0; f < width; ++f) {
          double sum = 0;
          for (int s = 0; s < seen.inner(r) && t < seen.in_block(r); ++s)
            sum += at(in_lanes, s, r, f / Features * Lanes + t) * at(in_source, s, r, f);
          expected.push_back(sum);
        }
    CHECK(distance(out, expected) <= allowed(seen.steps));
    CHECK(out.intact());
  }
  void check_sums_over_time() {
    guarded_rows<T> out(seen.steps * rows, width);
    out.fill([&](int n, int f) { return n - 0.25 * f; });
    std::vector<double> expected;
    for (int s = 0; s < seen.steps; ++s)
      for (int r = 0; r < rows; ++r)
        for (int f = 0; f < width; ++f) {
          double sum = at(out, s, r, f);
          for (int t = 0; t < seen.in_block(r) && s < seen.inner(r); ++t)
            sum += at(in_lanes, s, r, f / Features * Lanes + t) * at(in_time, t, r, f);
          expected.push_back(sum);
        }
    pair_sums_over_time<Groups, Features, Lanes>(cuda{}, seen.of(), from(in_lanes), from(in_time), to(out));
    CHECK(distance(out, expected) <= allowed(seen.block));
    CHECK(out.intact());
  }
  void check() {
    check_dots();
    check_sums();
    check_sums_over_time();
  }
};

TEST_CASE_TEMPLATE("rows of one length", T, float, double) {
  meeting<T, 1, 1, 8>({0, 1, 1, {}, {}, 1}).check();
  meeting<T, 3, 5, 8>({0, 8, 3, {}, {}, 2}).check();
  meeting<T, 2, 17, 40>({0, 37, 35, {}, {}, 2}).check();  // squares and rests
  meeting<T, 1, 33, 16>({0, 13, 70, {}, {}, 1}).check();  // deeper than a tile
}
TEST_CASE("rows that end on either axis, and some that have no steps") {
  const sequences some{40, 33, 37, {200, 50, 40, 0, 73}, {37, 0, 5, 36, 33}, 5};
  meeting<float, 2, 16, 40>(some).check();
  meeting<float, 1, 35, 33>(some).check();
  meeting<float, 1, 4, 8>({0, 8, 4, {3, 8}, {}, 2}).check();
  meeting<float, 1, 4, 8>({8, 5, 4, {}, {4, 1}, 2}).check();
}
TEST_CASE("no steps to meet") {
  meeting<float, 2, 3, 8> none({0, 5, 0, {}, {}, 2});
  none.check_dots();
  none.check_sums();
}

// Only many rows use wide tiles, so they are called by name here.
template <bool LeftAlong, bool RightAlong>
void check_wide_tile(int rows, int columns, int depth) {
  noise random(4);
  guarded_rows<float> left(LeftAlong ? rows : depth, LeftAlong ? depth : rows, 0, random),
      right(RightAlong ? columns : depth, RightAlong ? depth : columns, 0, random), out(rows, columns);
  std::vector<double> expected;
  for (int m = 0; m < rows; ++m)
    for (int n = 0; n < columns; ++n) {
      double sum = 0;
      for (int k = 0; k < depth; ++k)
        sum += double(LeftAlong ? left(m, k) : left(k, m)) * double(RightAlong ? right(n, k) : right(k, n));
      expected.push_back(sum);
    }
  cuda_detail::multiply_pairs_in<cuda_detail::wide_pair_tile>(
      cuda_detail::any_pair_product<float, LeftAlong, RightAlong>{1,
                                                                  rows,
                                                                  columns,
                                                                  {0, rows, nullptr},
                                                                  {0, columns, nullptr},
                                                                  {0, depth, nullptr},
                                                                  {left.data(), 0, 0, left.stride},
                                                                  {right.data(), 0, 0, right.stride},
                                                                  {out.data(), 0, 0, out.stride}},
      1, "pair_dots");
  CHECK(distance(out, expected) <= (depth + 8) * double(std::numeric_limits<float>::epsilon()));
  CHECK(out.intact());
}
TEST_CASE("wide tiles") {
  check_wide_tile<true, true>(70, 65, 17);
  check_wide_tile<false, false>(64, 3, 33);
  check_wide_tile<true, false>(5, 130, 16);
}

TEST_CASE("steps go into lanes, and a number for all groups into each") {
  constexpr int lanes = 8;
  const int lengths[]{7, 5};
  const paired_steps of{2, {4, 3, lengths}, {0, 1, nullptr}};
  float x[3 * 2 * 2], out[2][2 * lanes];
  for (int n = 0; n < 12; ++n) x[n] = static_cast<float>(n + 1);  // [step][row][group]
  to_lanes<2, 2, lanes>(cuda{}, of, operand<const float>{x, 2, 4}, operand<float>{out[0], 2 * lanes, 0});
  const float of_two[2][2 * lanes]{{1, 5, 9, 0, 0, 0, 0, 0, 2, 6, 10}, {3, 0, 0, 0, 0, 0, 0, 0, 4}};
  for (int n = 0; n < 4 * lanes; ++n)
    CHECK(out[n / (2 * lanes)][n % (2 * lanes)] == of_two[n / (2 * lanes)][n % (2 * lanes)]);
  to_lanes<1, 2, lanes>(cuda{}, of, operand<const float>{x, 0, 4}, operand<float>{out[0], 2 * lanes, 0});
  const float of_one[2][2 * lanes]{{1, 5, 9, 0, 0, 0, 0, 0, 1, 5, 9}, {1, 0, 0, 0, 0, 0, 0, 0, 1}};
  for (int n = 0; n < 4 * lanes; ++n)
    CHECK(out[n / (2 * lanes)][n % (2 * lanes)] == of_one[n / (2 * lanes)][n % (2 * lanes)]);
}

// The index arithmetic.
template <int Across, int Depth, bool Along>
void check_each_place_once() {
  std::set<int> all;
  for (int e = 0; e < Across * Depth; ++e) {
    const auto [across, along] = cuda_detail::place_in_pair_tile<Across, Depth, Along>(e);
    CHECK((0 <= across && across < Across && 0 <= along && along < Depth));
    all.insert(along * Across + across);
  }
  CHECK(all.size() == Across * Depth);
  for (int n = 0; n < Across * Depth;
       n += 64)  // what a thread fetches is in steps that are the same for all threads
    for (int e = 0; e < 64; ++e) {
      const auto whole = cuda_detail::place_in_pair_tile<Across, Depth, Along>(n + e),
                 mine = cuda_detail::place_in_pair_tile<Across, Depth, Along>(e),
                 step = cuda_detail::place_in_pair_tile<Across, Depth, Along>(n);
      CHECK((whole.across == mine.across + step.across && whole.along == mine.along + step.along));
    }
}
template <class Tile>
void check_places() {
  check_each_place_once<Tile::rows, Tile::depth, true>();
  check_each_place_once<Tile::columns, Tile::depth, true>();
  check_each_place_once<Tile::columns, Tile::depth, false>();
  for (int stride : {Tile::left_stride, Tile::right_stride}) {  // a warp stores into 32 banks
    std::set<int> banks;
    for (int e = 0; e < 32; ++e) {
      const auto [across, along] = cuda_detail::place_in_pair_tile<Tile::rows, Tile::depth, true>(e);
      banks.insert((along * stride + across) % 32);
    }
    CHECK(banks.size() == 32);
  }
}
TEST_CASE("every place of a tile is fetched once, and off the others' banks") {
  check_places<cuda_detail::wide_pair_tile>();
  check_places<cuda_detail::square_pair_tile>();
  check_places<cuda_detail::narrow_pair_tile>();
}
TEST_CASE("blocks of steps are all of them, or of one length") {
  CHECK(lanes_of_pairs(cuda{}, 8 * 128, 128) == 128);
  CHECK(lanes_of_pairs(cuda{}, 8, 5) == 8);
  CHECK(lanes_of_pairs(cuda{}, 32 * 512, 512) == 64);
  CHECK(lanes_of_pairs(cuda{}, 32 * 512, 130) == 48);      // three blocks
  CHECK(lanes_of_pairs(cuda{}, 1000 * 5000, 5000) == 32);  // no fewer
}

}  // namespace tenon::test
