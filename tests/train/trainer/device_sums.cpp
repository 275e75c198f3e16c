// Sums over shards in the memory of devices: for any number of ranks and of shards with rows, all ranks get the bits of one rank.
#include "tenon/train/trainer/device_sums.hpp"

#include "support/nccl/fake_nccl.hpp"
#include "tenon/backend/thrust/thrust.hpp"
#include "tenon/distribute/in_process.hpp"
#include "tenon/distribute/nccl.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <vector>

namespace tenon::test {

constexpr int size = 7 * 16 * 3;
using block = std::vector<float>;

// Numbers of all magnitudes, so that each order of additions has bits of its own.
float number(int shard, int k) {
  return std::ldexp(std::sin(float(31 * shard + 7 * k)), (5 * shard + k) % 21 - 10);
}

// The tree of sum_tree.hpp over the shards from `first` to before `end`.
block by_rule(int first, int end) {
  block sum(size);
  if (end - first == 1) {
    for (int k = 0; k < size; ++k) sum[std::size_t(k)] = number(first, k);
    return sum;
  }
  int whole = 1;
  while (2 * whole < end - first) whole *= 2;
  sum = by_rule(first, first + whole);
  const block others = by_rule(first + whole, end);
  for (std::size_t k = 0; k < size; ++k) sum[k] += others[k];
  return sum;
}

TEST_CASE("all ranks get the sum along the tree, in the block of their first shard") {
  for (int shards : {1, 2, 3, 5, 6, 7, 8})
    for (int ranks = 1; ranks <= shards; ++ranks)
      distribute::in_process::run(ranks, [&](distribute::in_process& host) {
        distribute::nccl there(host);
        const distribute::any_communicator world(there);
        const distribute::shard_group mine(world, shards);
        engine::device_sums<float, backend::thrust_device> sums(mine, {size, shards});
        for (int used = 1; used <= shards; ++used)
          for (int again = 0; again < 2; ++again) {
            std::vector<block> own;
            std::vector<float*> blocks(std::size_t(shards), nullptr);
            for (int k = mine.first(); k < mine.end(); ++k) {
              own.emplace_back();
              for (int n = 0; n < size; ++n) own.back().push_back(k < used ? number(k, n) : NAN);
            }
            for (int k = mine.first(); k < mine.end(); ++k)
              blocks[std::size_t(k)] = own[std::size_t(k - mine.first())].data();
            sums.sum(used, blocks.data());
            CAPTURE(shards);
            CAPTURE(ranks);
            CAPTURE(used);
            CHECK((own[0] == by_rule(0, used)));
          }
      });
}
TEST_CASE("the order shows") {
  block from_left = by_rule(0, 1);
  for (int shard = 1; shard < 6; ++shard)
    for (int k = 0; k < size; ++k) from_left[std::size_t(k)] += number(shard, k);
  CHECK((from_left != by_rule(0, 6)));
}
TEST_CASE("captured sums add what the blocks have when they run") {
  distribute::in_process::run(3, [&](distribute::in_process& host) {
    distribute::nccl there(host);
    const distribute::any_communicator world(there);
    const distribute::shard_group mine(world, 3);
    engine::device_sums<float, backend::thrust_device> sums(mine, {size, 3});
    block own(size);
    float* blocks[3]{};
    blocks[mine.first()] = own.data();
    backend::work_graphs graphs;
    const auto sum = graphs.capture([&] { sums.sum(3, blocks); });
    for (int times = 1; times < 4; ++times) {
      for (std::size_t k = 0; k < size; ++k) own[k] = float(times * (host.rank() + 1));
      graphs.queue(sum);
      CHECK((own == block(size, float(6 * times))));
    }
  });
}

}  // namespace tenon::test
