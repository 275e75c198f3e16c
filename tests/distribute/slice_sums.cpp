// Sums over the shards of several ranks have the bits of those of one rank, for any number of both, and where shards are empty.
#include "tenon/distribute/slice_sums.hpp"

#include "tenon/distribute/in_process.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace tenon::test {

using distribute::in_process;

std::vector<std::vector<float>> blocks_of(int shards, int size) {
  std::vector<std::vector<float>> all(static_cast<std::size_t>(shards));
  for (int k = 0; k < shards; ++k)
    for (int i = 0; i < size; ++i)
      all[static_cast<std::size_t>(k)].push_back(
          std::ldexp(std::sin(float(31 * k + 7 * i + 1)), (5 * k + 3 * i) % 13));
  return all;
}
void add(std::ptrdiff_t count, const float* from, float* to) {
  for (std::ptrdiff_t i = 0; i < count; ++i) to[i] += from[i];
}

// All but some rows of a sparse table.
constexpr std::pair<std::ptrdiff_t, std::ptrdiff_t> pieces[]{{0, 37}, {48, 5}, {60, 100}, {170, 6}};

TEST_CASE("the sums of all ranks' shards have the bits of one rank's") {
  for (int shards : {1, 2, 3, 4, 6, 8, 13})
    for (int count : {shards, shards - 1, (shards + 1) / 2, 1}) {
      if (count < 1) continue;
      const int size = 16 * 11;
      auto expected = blocks_of(shards, size);
      distribute::each_addition(count, [&](int k, int other) {
        add(size, expected[static_cast<std::size_t>(other)].data(),
            expected[static_cast<std::size_t>(k)].data());
      });
      for (int ranks = 1; ranks <= shards && ranks <= 5; ++ranks) {
        CAPTURE(shards);
        CAPTURE(count);
        CAPTURE(ranks);
        in_process::run(ranks, [&](in_process& world) {
          const distribute::block_slices slices{size, shards};
          const distribute::shard_owners owners{shards, ranks};
          auto blocks = blocks_of(shards, size);
          std::vector<float*> own(static_cast<std::size_t>(shards), nullptr);
          const int begin = owners.first(world.rank()), end = owners.first(world.rank() + 1);
          for (int k = begin; k < end; ++k)
            own[static_cast<std::size_t>(k)] = blocks[static_cast<std::size_t>(k)].data();
          float* const to = own[static_cast<std::size_t>(begin)];
          distribute::slice_sums<float> sums{distribute::any_communicator(world), shards};
          sums.sum(
              count, own.data(), to, [&](int rank) { return slices.begin(owners.first(rank)); },
              [](std::ptrdiff_t from, std::ptrdiff_t past, auto f) {
                for (const auto& [first, some] : pieces)
                  if (first < past && from < first + some)
                    f(std::max(first, from), std::min(first + some, past) - std::max(first, from));
              },
              add);
          bool same = true;
          for (const auto& [first, some] : pieces)
            for (std::ptrdiff_t i = std::max(first, slices.begin(begin));
                 i < std::min(first + some, slices.begin(end)); ++i)
              same = same && to[i] == expected[0][static_cast<std::size_t>(i)];
          CHECK(same);
        });
      }
    }
}
TEST_CASE("range by range, started one after the other and finished together") {
  constexpr int size = 16 * 11, shards = 6;
  for (int count : {6, 5, 3, 1}) {
    auto expected = blocks_of(shards, size);
    distribute::each_addition(count, [&](int k, int other) {
      add(size, expected[static_cast<std::size_t>(other)].data(),
          expected[static_cast<std::size_t>(k)].data());
    });
    for (int ranks = 1; ranks <= shards; ++ranks)
      in_process::run(ranks, [&](in_process& world) {
        const distribute::block_slices slices{size, shards};
        const distribute::shard_owners owners{shards, ranks};
        const int begin = owners.first(world.rank()), end = owners.first(world.rank() + 1);
        distribute::slice_sums<float> sums{distribute::any_communicator(world), shards};
        for (int update = 0; update < 3; ++update) {
          auto blocks = blocks_of(shards, size);
          std::vector<float*> own(static_cast<std::size_t>(shards), nullptr);
          for (int k = begin; k < end; ++k)
            own[static_cast<std::size_t>(k)] = blocks[static_cast<std::size_t>(k)].data();
          float* const to = own[static_cast<std::size_t>(begin)];
          const auto start = [&](int rank) { return slices.begin(owners.first(rank)); };
          for (const distribute::range mine : {distribute::range{112, size}, {32, 112}, {0, 32}})
            sums.start_range(mine, count, own.data(), start, add);
          sums.finish_ranges(count, to, start, add);
          bool same = true;
          for (std::ptrdiff_t i = slices.begin(begin); i < slices.begin(end); ++i)
            same = same && to[i] == expected[0][static_cast<std::size_t>(i)];
          CHECK(same);
        }
      });
  }
}

}  // namespace tenon::test
