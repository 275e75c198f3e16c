// The CPU backend's kernels on whole rows give the reference's bits.
#include "support/guarded_rows.hpp"
#include <tenon/backend/cpu/rows.hpp>
#include <tenon/backend/reference/rows.hpp>

#include <doctest/doctest.h>

using namespace tenon::backend;
using tenon::test::guarded_rows;
using tenon::test::noise;

namespace {

constexpr int tokens[]{2, -1, 0, 5, 2, 2, 4};  // 7 rows; -1 is padding
constexpr int lengths[]{2, 0, 1};              // 3 rows, 2 steps at most
// Steps that 3 rows have taken before each of 4 steps: two have ended, one before the block (-1).
constexpr int earlier[]{3, -1, 0, 4, -1, 1, 5, -1, -1, 6, -1, -1};

/// Runs `kernel` with both backends on equal rows and compares the results.
template <class T, class F>
void check_same(int rows, int width, int gap, F kernel) {
  noise one(7), two(7);
  guarded_rows<T> got(rows, width, width + gap, one), expected(rows, width, width + gap, two);
  kernel(cpu{}, got.data(), got.stride);
  kernel(reference{}, expected.data(), expected.stride);
  CHECK(got.numbers() == expected.numbers());
  CHECK(got.intact());
}

template <int D, class T>
void check_width(int gap) {
  CAPTURE(D);
  noise random(D);
  guarded_rows<T> table(6, D, D, random), rows(7, D, D + gap, random);
  check_same<T>(7, D, gap,
                [&](auto on, T* out, int stride) { gather<D>(on, 7, tokens, table.data(), out, stride); });
  check_same<T>(6, D, 0, [&](auto on, T* out, int) {
    scatter_add<D>(on, 7, tokens, rows.data(), rows.stride, 5, out);
  });
  for (int first : {0, 1})
    check_same<T>(6, D, gap, [&](auto on, T* out, int stride) {
      clear_past_end<D>(on, first, 2, 3, lengths, operand<T>{out, stride, 3 * stride});
    });
  check_same<T>(6, D, gap, [&](auto on, T* out, int stride) {  // rows of steps
    clear_past_end<D>(on, 0, 2, 3, lengths, operand<T>{out, 2 * stride, stride});
  });
  for (bool active : {false, true})
    for (int t : {0, 1})
      check_same<T>(3, D, gap, [&](auto on, T* out, int stride) {
        copy_rows_where<D>(on, active, t, 3, lengths, rows.data(), rows.stride, out, stride);
      });
  check_same<T>(7, D, gap, [&](auto on, T* out, int stride) { clear_rows<D>(on, 5, out, stride); });
  check_same<T>(7, D, 0, [&](auto on, T* out, int) { set_all(on, 6 * D, T(3), out); });
  for (int t : {0, 1, 2})
    check_same<T>(3, D, gap,
                  [&](auto on, T* out, int stride) { clear_ended_rows<D>(on, t, 3, lengths, out, stride); });
  check_same<T>(7, D, gap, [&](auto on, T* out, int stride) {
    copy_rows<D>(on, 7, rows.data(), rows.stride, out, stride);
  });
  guarded_rows<T> steps(12, D, D + gap, random), kept(5 * 3, D, D, random);
  check_same<T>(5 * 3, D, 0, [&](auto on, T* out, int) {
    keep_rows<D>(on, 4, 3, 5, earlier, operand<const T>{steps.data(), steps.stride, 3 * steps.stride}, out);
  });
  for (int back : {0, 1, 4})
    check_same<T>(12, D, gap, [&](auto on, T* out, int stride) {
      earlier_rows<D>(on, 4, 3, 5, earlier, back, T(-7), kept.data(), operand<T>{out, stride, 3 * stride});
    });
  check_same<T>(7, D, gap, [&](auto on, T* out, int stride) {
    accumulate_rows<D>(on, 7, rows.data(), rows.stride, out, stride);
  });
}

}  // namespace

TEST_CASE_TEMPLATE("rows of every width", T, float, double) {
  for (int gap : {0, 2}) {
    check_width<1, T>(gap);
    check_width<7, T>(gap);
    check_width<8, T>(gap);
    check_width<16, T>(gap);
    check_width<17, T>(gap);
    check_width<33, T>(gap);
    check_width<100, T>(gap);
  }
}

// The reference's results, worked out by hand.
TEST_CASE("lengths and tokens are counted") {
  const int inner[]{4, 5, 6};
  int seen[3];
  for (int t : {0, 1, 2}) {
    lengths_at(reference{}, t, 3, lengths, inner, seen);
    for (int r = 0; r < 3; ++r) CHECK(seen[r] == (t < lengths[r] ? inner[r] : 0));
  }
  CHECK(count_tokens(reference{}, 7, tokens) == 6);
  float rows[]{1, 2, 3, 4, 5, 6};
  clear_ended_rows<2>(reference{}, 1, 3, lengths, rows, 2);
  CHECK((rows[0] == 1 && rows[1] == 2 && rows[2] == 0 && rows[3] == 0 && rows[4] == 0 && rows[5] == 0));
  set_all(reference{}, 2, 7.f, rows);
  clear_rows<1>(reference{}, 2, rows + 1, 3);
  CHECK((rows[0] == 7 && rows[1] == 0 && rows[2] == 0 && rows[4] == 0));
}
