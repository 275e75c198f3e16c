// Fibers continue where they were suspended, with what they had in registers and on their stacks, and catch their own exceptions.
#include "tenon/backend/emulation/fiber.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <vector>

namespace tenon::test {

using backend::emulation::fiber;

// Writes down first, first + step, first + 2 step, ..., a number each time that it is resumed.
struct counter {
  int first, step;
  std::vector<int>& log;
  fiber runs{[](void* self) { static_cast<counter*>(self)->count(); }, this};

  void count() {
    const double halves = first / 2.0;
    for (int k = 0;; ++k) {
      log.push_back(static_cast<int>(2 * halves) + k * step);
      runs.suspend();
    }
  }
};

TEST_CASE("two fibers and their caller take turns") {
  std::vector<int> log;
  counter even{0, 2, log}, hundreds{100, 100, log};
  for (int k = 0; k < 3; ++k) {
    even.runs.resume();
    hundreds.runs.resume();
    log.push_back(-k);
  }
  CHECK(log == std::vector{0, 100, 0, 2, 200, -1, 4, 300, -2});
}

// From the bottom of a recursion back to its top; a fiber suspends itself on the way down, at each of `depth` calls.
struct descent {
  int depth, sum = 0;
  fiber runs{[](void* self) {
               descent& mine = *static_cast<descent*>(self);
               mine.sum = mine.down(mine.depth);
               for (;;) mine.runs.suspend();
             },
             this};

  int down(int n) {
    const int here = n;
    runs.suspend();
    return n == 0 ? 0 : here + down(n - 1);
  }
};
TEST_CASE("what is on the stack of a fiber stays there") {
  descent one{20}, other{300};
  for (int k = 0; k < 22; ++k) {
    one.runs.resume();
    other.runs.resume();
  }
  CHECK(one.sum == 210);
  CHECK(other.sum == 0);
  for (int k = 0; k < 300; ++k) other.runs.resume();
  CHECK(other.sum == 300 * 301 / 2);
}

TEST_CASE("an exception is caught where it is thrown, and passes the caller by") {
  struct thrower {
    std::vector<int> caught{};
    fiber runs{[](void* self) {
                 thrower& mine = *static_cast<thrower*>(self);
                 for (int k = 0;; ++k) try {
                     mine.runs.suspend();
                     if (k % 2 == 1) throw std::runtime_error("odd");
                   } catch (const std::runtime_error&) { mine.caught.push_back(k); }
               },
               this};
  };
  thrower one;
  for (int k = 0; k < 6; ++k) {
    CHECK_NOTHROW(one.runs.resume());
    CHECK_THROWS_AS(throw std::runtime_error("the caller's"), std::runtime_error);
  }
  CHECK(one.caught == std::vector{1, 3});
}

TEST_CASE("a fiber may end in the middle of its work, and another begin") {
  std::vector<int> log;
  for (int k = 0; k < 4; ++k) {
    const auto one = std::make_unique<counter>(10 * k, 1, log);
    one->runs.resume();
    one->runs.resume();
  }
  CHECK(log == std::vector{0, 1, 10, 11, 20, 21, 30, 31});
}

}  // namespace tenon::test
