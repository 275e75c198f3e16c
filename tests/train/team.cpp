// A team shares work by number: all of it is done, by the same member each time; what is thrown comes back.
#include "tenon/train/team.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace tenon::engine::test {

TEST_CASE("all work is done when share returns, each number by its member") {
  for (int size : {1, 2, 3, 8}) {
    team members(size);
    CHECK(members.size() == size);
    for (int count : {0, 1, 2, 7, 8, 20}) {
      std::vector<int> done(static_cast<std::size_t>(count));
      std::vector<std::thread::id> by(done.size());
      for (int round = 1; round <= 200; ++round) {
        members.share(count, [&](int k) {
          const auto at = static_cast<std::size_t>(k);
          ++done[at], by[at] = std::this_thread::get_id();
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
TEST_CASE("what the least number throws is thrown, and the team works on") {
  team members(3);
  for (int round = 0; round < 20; ++round) {
    const auto some_fail = [](int k) {
      if (k == 2 || k == 4) throw std::runtime_error(std::to_string(k));
    };
    CHECK_THROWS_WITH(members.share(6, some_fail), "2");
    int sum[3]{};
    members.share(3, [&](int k) { sum[k] = k; });
    CHECK(sum[0] + sum[1] + sum[2] == 3);
  }
}
TEST_CASE("a team that has slept wakes up, and one that was never asked goes home") {
  team idle(4);
  team members(2);
  for (int round = 0; round < 3; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    int done[2]{};
    members.share(2, [&](int k) { done[k] = 1; });
    CHECK(done[0] + done[1] == 2);
  }
}

}  // namespace tenon::engine::test
