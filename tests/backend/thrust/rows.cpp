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
      const auto check = [&](auto& one) { one.expect(active, t, lengths), one.check(); };
      check(a), check(b), check(c), check(d), check(e);
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

TEST_CASE("several blocks of numbers are cleared at once, and nothing beside them") {
  std::vector<float> numbers(100, 1.0f);
  std::vector<backend::block_of_numbers<float>> blocks;
  for (int n = 0; n < 19; ++n) blocks.push_back({numbers.data() + 5 * n, n % 4});  // one of none, too
  clear_blocks(backend::thrust_device{}, int(blocks.size()), blocks.data());
  for (int k = 0; k < 100; ++k) CHECK(numbers[std::size_t(k)] == (k < 95 && k % 5 < k / 5 % 4 ? 0.0f : 1.0f));
}

}  // namespace tenon::test
