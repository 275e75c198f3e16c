// A thread runs what it is given, and is waited for. (Without threads: tests/run machines webassembly.)
#include "tenon/system/threads.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <vector>

TEST_CASE("threads run beside each other, and join waits for their end") {
  // Each waits until all have begun: one after the other they would never end.
  constexpr int count = 4;
  std::atomic<int> begun = 0, ended = 0;
  std::vector<tenon::system_calls::thread> all;
  for (int k = 0; k < count; ++k)
    all.emplace_back([&] {
      ++begun;
      while (begun < count) tenon::system_calls::yield();
      ++ended;
    });
  for (auto& one : all) one.join();
  CHECK(ended == count);
}
