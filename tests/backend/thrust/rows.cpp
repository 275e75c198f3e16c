// Rows that go from step to step of a loop, several values at once, against the reference one by one.
#include "tenon/backend/thrust/rows.hpp"

#include "support/guarded_rows.hpp"
#include "tenon/backend/reference/rows.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <vector>

namespace tenon::test {

template <int D>
struct moved {
  static constexpr int rows = 5;
  guarded_rows<float> from, to;
  std::vector<float> expected;
  moved(noise& random) : from(rows, D, D, random), to(rows, D, D, random) {
    for (double x : to.numbers()) expected.push_back(float(x));
  }
  backend::passed_rows<float> passed() { return {from.data(), to.data(), D}; }
  void expect(bool active, int t, const int* lengths) {
    copy_rows_where<D>(backend::reference{}, active, t, rows, lengths, from.data(), D, expected.data(), D);
    if (active) clear_ended_rows<D>(backend::reference{}, t, rows, lengths, expected.data(), D);
  }
  void check() {
    CHECK(to.numbers() == std::vector<double>(expected.begin(), expected.end()));
    CHECK(to.intact());
  }
};

TEST_CASE("rows that have ended, or have not, of one value and of more than a kernel takes") {
  const int lengths[]{3, 0, 1, 4, 2};
  for (bool active : {false, true})
    for (int t : {0, 1, 2, 4}) {
      noise random(std::uint64_t(t + 3));
      moved<3> a(random);
      moved<1> b(random);
      moved<17> c(random), e(random);
      moved<2> d(random);
      const backend::passed_rows<float> all[]{a.passed(), b.passed(), c.passed(), d.passed(), e.passed()};
      pass_rows(backend::thrust_device{}, active, t, 5, lengths, 5, all);
      const auto check = [&](auto& one) {
        one.expect(active, t, lengths);
        one.check();
      };
      check(a);
      check(b);
      check(c);
      check(d);
      check(e);
      moved<4> alone(random);
      const backend::passed_rows<float> one = alone.passed();
      pass_rows(backend::thrust_device{}, active, t, 5, lengths, 1, &one);
      check(alone);
    }
}
TEST_CASE("what is past the end of a row is cleared, from any step on") {
  const int lengths[]{2, 0, 4};
  for (int first : {0, 1, 3}) {
    noise random(7);
    guarded_rows<float> ours(6, 5, 7, random), theirs(6, 5, 7);
    const std::vector<double> before = ours.numbers();
    theirs.fill([&](int r, int j) { return before[std::size_t(r * 5 + j)]; });
    clear_past_end<5>(backend::thrust_device{}, first, 2, 3, lengths,
                      backend::operand<float>{ours.data(), 7, 21});
    clear_past_end<5>(backend::reference{}, first, 2, 3, lengths,
                      backend::operand<float>{theirs.data(), 7, 21});
    CHECK(ours.numbers() == theirs.numbers());
    CHECK(ours.intact());
  }
}

// The same rows for a kernel of ours and for that of the reference; between the rows is room that nothing may change.
template <int D>
struct both {
  guarded_rows<float> ours, theirs;
  both(int rows, int gap, noise random) : ours(rows, D, D + gap), theirs(rows, D, D + gap) {
    ours.fill([&](int, int) { return random(); });
    const std::vector<double> same = ours.numbers();
    theirs.fill([&](int r, int j) { return same[std::size_t(r * D + j)]; });
  }
  void check() {
    CHECK(ours.numbers() == theirs.numbers());
    CHECK(ours.intact());
  }
};
TEST_CASE("rows of a table, whose places may be apart") {
  const int tokens[]{2, -1, 0, 2};
  noise random(3);
  guarded_rows<float> table(3, 5, 5, random);
  for (int gap : {0, 2}) {
    both<5> out(4, gap, noise(5));
    gather<5>(backend::thrust_device{}, 4, tokens, table.data(), out.ours.data(), out.ours.stride);
    gather<5>(backend::reference{}, 4, tokens, table.data(), out.theirs.data(), out.theirs.stride);
    out.check();
  }
}
TEST_CASE("rows that are copied, added and cleared, whose places may be apart") {
  const int lengths[]{2, 0, 3};
  for (int gap : {0, 3}) {
    noise random(4);
    guarded_rows<float> from(3, 5, 5 + 2 * gap, random);
    const auto check = [&](auto kernel) {
      both<5> to(3, gap, noise(6));
      kernel(backend::thrust_device{}, to.ours);
      kernel(backend::reference{}, to.theirs);
      to.check();
    };
    check([&](auto b, auto& to) { copy_rows<5>(b, 3, from.data(), from.stride, to.data(), to.stride); });
    check(
        [&](auto b, auto& to) { accumulate_rows<5>(b, 3, from.data(), from.stride, to.data(), to.stride); });
    check([&](auto b, auto& to) { clear_rows<5>(b, 3, to.data(), to.stride); });
    check([&](auto b, auto& to) { clear_ended_rows<5>(b, 2, 3, lengths, to.data(), to.stride); });
    for (bool active : {false, true})
      check([&](auto b, auto& to) {
        copy_rows_where<5>(b, active, 1, 3, lengths, from.data(), from.stride, to.data(), to.stride);
      });
  }
}
// Rows have taken so many steps before each of two, or have ended (-1); room is for the last four.
TEST_CASE(
    "kept rows: those that rest stay, those of long ago are found, and before the first is what is outside") {
  constexpr int rows = 5, steps = 2, room = 4;
  const int earlier[]{0, -1, 1, 4, 7, 1, -1, -1, 5, 8};
  noise random(8);
  guarded_rows<float> from(steps * rows, 3, 4, random);
  const backend::operand<const float> source{from.data(), from.stride, rows * from.stride};
  both<3> kept(room * rows, 0, noise(9));
  keep_rows<3>(backend::thrust_device{}, steps, rows, room, earlier, source, kept.ours.data());
  keep_rows<3>(backend::reference{}, steps, rows, room, earlier, source, kept.theirs.data());
  kept.check();
  for (int back : {0, 1, 2}) {
    both<3> found(steps * rows, 2, noise(10));
    const auto to = [&](guarded_rows<float>& of) {
      return backend::operand<float>{of.data(), of.stride, rows * of.stride};
    };
    earlier_rows<3>(backend::thrust_device{}, steps, rows, room, earlier, back, -7.0f, kept.theirs.data(),
                    to(found.ours));
    earlier_rows<3>(backend::reference{}, steps, rows, room, earlier, back, -7.0f, kept.theirs.data(),
                    to(found.theirs));
    found.check();
  }
}
TEST_CASE("lengths of an inner axis, tokens as numbers, and numbers in order") {
  const int outer[]{2, 0, 3}, inner[]{4, 5, 6}, tokens[]{7, -1, 0};
  int lengths[]{9, 9, 9};
  for (int t : {0, 1, 2}) {
    lengths_at(backend::thrust_device{}, t, 3, outer, inner, lengths);
    for (int r = 0; r < 3; ++r) CHECK(lengths[r] == (t < outer[r] ? inner[r] : 0));
  }
  float numbers[]{9, 9, 9, 9};
  numbers_of_tokens(backend::thrust_device{}, 3, tokens, numbers);
  CHECK(std::vector<float>(numbers, numbers + 4) == std::vector<float>{7, -1, 0, 9});
  count_up(backend::thrust_device{}, 3, numbers);
  CHECK(std::vector<float>(numbers, numbers + 4) == std::vector<float>{0, 1, 2, 9});
}

TEST_CASE("several blocks of numbers are cleared at once, and nothing beside them") {
  std::vector<float> numbers(100, 1.0f);
  std::vector<backend::block_of_numbers<float>> blocks;
  for (int n = 0; n < 19; ++n) blocks.push_back({numbers.data() + 5 * n, n % 4});  // one of none, too
  clear_blocks(backend::thrust_device{}, int(blocks.size()), blocks.data());
  for (int k = 0; k < 100; ++k) CHECK(numbers[std::size_t(k)] == (k < 95 && k % 5 < k / 5 % 4 ? 0.0f : 1.0f));
}

}  // namespace tenon::test
