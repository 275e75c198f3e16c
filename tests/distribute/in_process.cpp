// Threads as ranks: what each gives the others get, whatever the sizes; a rank that fails or ends early ends all, and none waits for ever.
#include "tenon/distribute/in_process.hpp"

#include "tenon/distribute/alone.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace tenon::test {

using distribute::alone;
using distribute::in_process;
static_assert(distribute::Communicator<alone> && distribute::Communicator<in_process>);

namespace {

std::byte* bytes_of(std::vector<int>& numbers) { return reinterpret_cast<std::byte*>(numbers.data()); }

// Begins of pieces of length(rank) ints, in bytes.
template <class Length>
std::vector<std::size_t> begins(int ranks, Length length) {
  std::vector<std::size_t> all{0};
  for (int rank = 0; rank < ranks; ++rank)
    all.push_back(all.back() + sizeof(int) * static_cast<std::size_t>(length(rank)));
  return all;
}

}  // namespace

// Rank r gives the numbers 100 round + 10 r, .. of a piece of (r + round) % 4 numbers, which may be none.
template <class World>
void check_gather(World& world, int round) {
  const int size = world.size();
  const auto length = [&](int rank) { return (rank + round) % 4; };
  const auto begin = begins(size, length);
  std::vector<int> expected, all(begin.back() / sizeof(int), -1);
  for (int rank = 0; rank < size; ++rank)
    for (int k = 0; k < length(rank); ++k) expected.push_back(100 * round + 10 * rank + k);
  const std::size_t first = begin[static_cast<std::size_t>(world.rank())] / sizeof(int);
  for (int k = 0; k < length(world.rank()); ++k) {
    const std::size_t at = first + static_cast<std::size_t>(k);
    all[at] = expected[at];
  }
  world.gather({bytes_of(all), begin.data()});
  CHECK((all == expected));
}
// Rank r gives rank s a piece of (2 r + s + round) % 3 numbers.
template <class World>
void check_exchange(World& world, int round) {
  const int size = world.size(), me = world.rank();
  const auto length = [&](int from, int to) { return (2 * from + to + round) % 3; };
  const auto number = [&](int from, int to, int k) { return 1000 * round + 100 * from + 10 * to + k; };
  const auto begin_given = begins(size, [&](int to) { return length(me, to); }),
             begin_received = begins(size, [&](int from) { return length(from, me); });
  std::vector<int> given, expected;
  for (int other = 0; other < size; ++other) {
    for (int k = 0; k < length(me, other); ++k) given.push_back(number(me, other, k));
    for (int k = 0; k < length(other, me); ++k) expected.push_back(number(other, me, k));
  }
  std::vector<int> received(expected.size(), -1);
  world.exchange({bytes_of(given), begin_given.data()}, {bytes_of(received), begin_received.data()});
  CHECK((received == expected));
}

TEST_CASE("ranks gather and exchange pieces of any length") {
  for (int ranks : {1, 2, 3, 4, 7}) {
    CAPTURE(ranks);
    std::atomic<int> sum_of_ranks{0};
    in_process::run(ranks, [&](in_process& world) {
      CHECK(world.size() == ranks);
      sum_of_ranks += world.rank();
      for (int round = 0; round < 50; ++round) {
        check_gather(world, round);
        check_exchange(world, round);
      }
    });
    CHECK(sum_of_ranks == ranks * (ranks - 1) / 2);
  }
  alone world;
  for (int round = 0; round < 4; ++round) {
    check_gather(world, round);
    check_exchange(world, round);
  }
}

TEST_CASE("a rank that fails ends all others, and what it threw is thrown") {
  for (int failing : {0, 1, 3})
    for (int round_of_it : {0, 1, 5}) {
      CAPTURE(failing);
      CAPTURE(round_of_it);
      std::atomic<int> lost{0};
      const auto work = [&](in_process& world) {
        try {
          for (int round = 0; round < 10; ++round) {
            if (world.rank() == failing && round == round_of_it) throw std::runtime_error("out of paper");
            check_gather(world, round);
          }
        } catch (const distribute::rank_lost& error) {
          CHECK(std::string(error.what()) == "rank " + std::to_string(failing) + " has failed");
          ++lost;
          throw;
        }
      };
      CHECK_THROWS_WITH_AS(in_process::run(4, work), "out of paper", std::runtime_error);
      CHECK(lost == 3);
    }
}

TEST_CASE("a rank that ends while others wait for it is named") {
  for (int early : {0, 2}) {
    CAPTURE(early);
    const auto work = [&](in_process& world) {
      check_gather(world, 1);
      if (world.rank() != early) check_gather(world, 2);
    };
    const std::string text =
        "rank " + std::to_string(early) + " has ended, and another one still waits for it";
    CHECK_THROWS_WITH_AS(in_process::run(3, work), text.c_str(), distribute::rank_lost);
  }
}

TEST_CASE("pieces that do not fit each other, and no ranks") {
  for (const bool exchanges : {false, true}) {
    std::atomic<int> refused{0};
    const auto work = [&](in_process& world) {
      const std::size_t begin[]{0, 4, 8}, longer[]{0, 4, 12};
      std::vector<int> all(3), received(3);
      try {
        if (exchanges) world.exchange({bytes_of(all), begin}, {bytes_of(received), longer});
        else world.gather({bytes_of(all), world.rank() == 0 ? longer : begin});
      } catch (const input_error& error) {
        CHECK(std::string(error.what()) ==
              (exchanges ? "exchange: rank 1" : "gather: rank 1") +
                  (" sends another number of bytes than rank " + std::to_string(world.rank()) + " expects"));
        ++refused;
        throw;
      }
    };
    CHECK_THROWS_AS(in_process::run(2, work), input_error);
    CHECK(refused == (exchanges ? 2 : 1));
  }
  CHECK_THROWS_WITH_AS(in_process::run(0, [](in_process&) {}), "in_process: expected at least 1 rank, got 0",
                       input_error);
}

}  // namespace tenon::test
