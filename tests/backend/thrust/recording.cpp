// Work that is queued during a capture, on a plain CPU: an object with its arguments is kept, and called later.
#include "tenon/backend/thrust/recording.hpp"

#include <doctest/doctest.h>

#include <array>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace tenon::test {

using namespace backend::thrust_detail;

// y = factor y + term, at an address.
struct affine {
  double factor, term;
  double* y;
  void operator()() const { *y = factor * *y + term; }
};
// Copies of a call must not need the object that it was made from.
struct large {
  std::array<int, 300> numbers;
  long* sum;
  void operator()() const {
    *sum = 0;
    for (int n : numbers) *sum += n;
  }
};
// Queues more work itself.
struct nested {
  double* y;
  void operator()() const { queue(affine{1, 1, y}); }
};
struct fails {
  void operator()() const { throw std::runtime_error("it has failed"); }
};

// While it lives, this thread's work is recorded there.
struct captures {
  explicit captures(recording& to) { recording_of_thread = &to; }
  ~captures() { recording_of_thread = nullptr; }
};

TEST_CASE("without a capture work is done at once") {
  double y = 1;
  CHECK(!is_capturing());
  queue(affine{2, 3, &y});
  CHECK(y == 5);
}
TEST_CASE(
    "captured work is done when the whole is run: in its order, as often as one likes, on what is there "
    "then") {
  recording all;
  all.run();  // of nothing
  double y = 1;
  {
    const captures mine(all);
    CHECK(is_capturing());
    queue(affine{2, 0, &y});
    queue(affine{1, 3, &y});  // (2 y) + 3, not 2 (y + 3)
  }
  CHECK(!is_capturing());
  CHECK(y == 1);
  CHECK(all.size() == 2);
  all.run();
  CHECK(y == 5);
  y = 10;
  all.run();
  all.run();
  CHECK(y == 49);
  CHECK(all.size() == 2);
}
TEST_CASE("arguments are those that were given: what they came from may be gone, or have changed") {
  recording all;
  long sum = -1;
  {
    const captures mine(all);
    large one{{}, &sum};
    one.numbers.fill(1);
    queue(one);
    one.numbers.fill(7);
  }
  std::vector<large> others(20, large{{}, &sum});  // other memory in its place
  for (const large& one : others) all.add(one);
  CHECK(all.size() == 21);
  recording first;
  first.add(large{{5}, &sum});
  all.run();
  CHECK(sum == 0);  // that of the last one
  first.run();
  CHECK(sum == 5);
  recording alone = std::move(first);
  sum = 0;
  alone.run();
  CHECK(sum == 5);
  CHECK(alone.size() == 1);
}
TEST_CASE("a call that is kept and one that is not have the same bits") {
  double now = 0.1, later = 0.1;
  recording all;
  for (double factor : {1.0 / 3, 0.7, 1e-17}) {
    queue(affine{factor, 0.3, &now});
    all.add(affine{factor, 0.3, &later});
  }
  all.run();
  CHECK(now == later);
}
TEST_CASE("a capture is one thread's") {
  recording all;
  const captures mine(all);
  double y = 0;
  std::thread([&] {
    CHECK(!is_capturing());
    queue(affine{1, 1, &y});
    refuse_in_capture("copying");
  }).join();
  CHECK(y == 1);
  CHECK(all.size() == 0);
}
TEST_CASE("what a capture cannot hold is a device_error that says what it was") {
  CHECK_NOTHROW(refuse_in_capture("copying"));
  recording all;
  const captures mine(all);
  CHECK_THROWS_WITH_AS(refuse_in_capture("copying to the moon"),
                       "copying to the moon: work that is being captured cannot do this", device_error);
}
TEST_CASE("work that asks for work does so when it is run") {
  double y = 0;
  recording all;
  all.add(nested{&y});
  CHECK(all.size() == 1);
  all.run();
  CHECK(y == 1);
  CHECK(all.size() == 1);
}
TEST_CASE("a failure is the caller's, and what is kept may be run again") {
  double y = 0;
  recording all;
  all.add(affine{1, 1, &y});
  all.add(fails{});
  all.add(affine{1, 100, &y});
  CHECK_THROWS_WITH(all.run(), "it has failed");
  CHECK(y == 1);
  CHECK_THROWS(all.run());
  CHECK(y == 2);
  CHECK_THROWS_WITH(queue(fails{}), "it has failed");
}

}  // namespace tenon::test
