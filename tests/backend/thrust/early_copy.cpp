// early_copy on a plain CPU: it returns the contents of the memory at the time of the call.
#include "tenon/backend/thrust/early_copy.hpp"

#include "tenon/backend/reference/reference.hpp"
#include "tenon/backend/thrust/thrust.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <type_traits>
#include <vector>

namespace tenon::test {

using backend::early_copy, backend::thrust_device;

// A backend that uses the program's memory has no early copy, only an empty type in its place.
static_assert(backend::CopiesEarly<thrust_device>);
static_assert(!backend::CopiesEarly<backend::reference>);
static_assert(std::is_same_v<backend::early_copy_type<thrust_device>::type, early_copy>);
static_assert(std::is_same_v<backend::early_copy_type<backend::reference>::type, backend::late_copy>);
static_assert(!std::is_copy_constructible_v<early_copy> && !std::is_copy_assignable_v<early_copy>);

template <class T, std::size_t N>
std::array<T, N> copied(const early_copy& one) {
  std::array<T, N> all;
  std::memcpy(all.data(), one.wait(), sizeof all);
  return all;
}

TEST_CASE("what is queued behind the copy is not seen in it") {
  std::array<double, 3> numbers{1, 2, 3};
  early_copy copy(sizeof numbers);
  copy.queue(numbers.data());
  set_all(thrust_device{}, 3, 9.0, numbers.data());  // the next kernel
  CHECK(numbers == std::array<double, 3>{9, 9, 9});
  CHECK(copy.is_done());  // on a plain CPU it is done at once
  CHECK(copied<double, 3>(copy) == std::array<double, 3>{1, 2, 3});
  CHECK(copied<double, 3>(copy) == std::array<double, 3>{1, 2, 3});  // any number of times
}
TEST_CASE("the copy is the last one, and no longer than was said") {
  std::array<int, 4> numbers{1, 2, 3, 4};
  early_copy copy(2 * sizeof(int)), other(sizeof(int));
  for (int n = 0; n < 3; ++n) {
    copy.queue(numbers.data());
    other.queue(numbers.data() + 3);
    CHECK(copied<int, 2>(copy) == std::array<int, 2>{1 + n, 2});
    CHECK(copied<int, 1>(other) == std::array<int, 1>{4});
    ++numbers[0];
  }
  const void* const before = copy.wait();
  copy.queue(numbers.data() + 2);  // from elsewhere, to the same place
  CHECK(copy.wait() == before);
  CHECK(copied<int, 2>(copy) == std::array<int, 2>{3, 4});
}
TEST_CASE("work that is being captured cannot ask for a copy, and the one before stays") {
  std::array<float, 1> number{1};
  early_copy copy(sizeof number);
  copy.queue(number.data());
  number[0] = 2;
  backend::work_graphs graphs;
  CHECK_THROWS_WITH_AS(graphs.capture([&] { copy.queue(number.data()); }),
                       doctest::Contains("work that is being captured cannot do this"), device_error);
  CHECK(copied<float, 1>(copy) == std::array<float, 1>{1});
  copy.queue(number.data());
  CHECK(copied<float, 1>(copy) == std::array<float, 1>{2});
}

}  // namespace tenon::test
