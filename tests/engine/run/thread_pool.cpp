// A thread pool divides work by number: all of it is done, each number by the same worker each time; exceptions reach the caller.
#include "tenon/engine/run/thread_pool.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

// The sanitizer of threads lets a child of fork start threads.
extern "C" const char* __tsan_default_options() { return "die_after_fork=0"; }

namespace tenon::inline v0_1::engine::test {

TEST_CASE("all work is done when parallel_for returns, each number by its worker") {
  for (int size : {1, 2, 3, 8}) {
    thread_pool pool(size);
    CHECK(pool.size() == size);
    for (int count : {0, 1, 2, 7, 8, 20}) {
      std::vector<int> done(static_cast<std::size_t>(count));
      std::vector<std::thread::id> by(done.size());
      for (int round = 1; round <= 200; ++round) {
        pool.parallel_for(count, [&](int k) {
          const auto at = static_cast<std::size_t>(k);
          ++done[at];
          by[at] = std::this_thread::get_id();
        });
        for (int n : done) REQUIRE(n == round);
      }
      for (std::size_t k = 0; k < done.size(); ++k) {
        CHECK((by[k] == by[k % static_cast<std::size_t>(size)]));
        CHECK(((by[k] == std::this_thread::get_id()) == (k % static_cast<std::size_t>(size) == 0)));
      }
    }
  }
}
TEST_CASE("share does each number once, in any mixture with parallel_for") {
  for (int size : {2, 3, 8}) {
    thread_pool pool(size);
    for (int round = 1; round <= 500; ++round) {
      std::vector<int> done(static_cast<std::size_t>(size));
      pool.share(
          [](void* all, int k) { ++(*static_cast<std::vector<int>*>(all))[static_cast<std::size_t>(k)]; },
          &done);
      CHECK(done == std::vector<int>(done.size(), 1));
      if (round % 5 == 0) {
        std::vector<int> divided(7);
        pool.parallel_for(7, [&](int k) { ++divided[static_cast<std::size_t>(k)]; });
        CHECK(divided == std::vector<int>(7, 1));
      }
    }
  }
}

TEST_CASE("what the least number throws is thrown, and the pool works on") {
  thread_pool pool(3);
  for (int round = 0; round < 20; ++round) {
    const auto some_fail = [](int k) {
      if (k == 2 || k == 4) throw std::runtime_error(std::to_string(k));
    };
    CHECK_THROWS_WITH(pool.parallel_for(6, some_fail), "2");
    int sum[3]{};
    pool.parallel_for(3, [&](int k) { sum[k] = k; });
    CHECK(sum[0] + sum[1] + sum[2] == 3);
  }
}
TEST_CASE("a pool that has slept wakes up, and one that was never asked stops") {
  thread_pool idle(4);
  thread_pool pool(2);
  for (int round = 0; round < 3; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    int done[2]{};
    pool.parallel_for(2, [&](int k) { done[k] = 1; });
    CHECK(done[0] + done[1] == 2);
  }
}
// The child is ended by an alarm if it waits for the threads of its parent.
TEST_CASE("in a child of fork the pool's threads are missing, and it says so; a pool of its own works") {
  thread_pool pool(3);
  pool.parallel_for(3, [](int) {});
  const auto child = ::fork();
  if (child == 0) {
    ::alarm(60);
    int right = 0;
    {
      thread_pool own(2);
      int done[2]{};
      own.parallel_for(2, [&](int k) { done[k] = 1; });
      right += done[0] + done[1] == 2;
    }
    try {
      pool.parallel_for(3, [](int) {});
    } catch (const input_error& error) {
      right +=
          std::string(error.what()) ==
          "threads: this process was made by fork, after which only the thread that called it is left; make "
          "the trainer or session after fork";
    }
    pool.parallel_for(1, [&](int) { ++right; });  // which needs no other thread
    pool.~thread_pool();
    ::_exit(right);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 3);
  int done[3]{};
  pool.parallel_for(3, [&](int k) { done[k] = 1; });
  CHECK(done[0] + done[1] + done[2] == 3);
}

}  // namespace tenon::inline v0_1::engine::test
