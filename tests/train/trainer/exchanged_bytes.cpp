// How many bytes the ranks of a training send in a step: by formula, and counted where they are sent. See docs/explain/scale.md.
#include "tenon/distribute/in_process.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/trainer/shards.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

namespace tenon::test {
using namespace nn;
using distribute::in_process;

namespace {

// Counts what its rank sends to others.
struct counting {
  in_process& ranks;
  std::size_t sent = 0;

  int rank() const { return ranks.rank(); }
  int size() const { return ranks.size(); }
  void gather(distribute::pieces all) {
    sent += static_cast<std::size_t>(size() - 1) * all.bytes(rank());
    ranks.gather(all);
  }
  void exchange(distribute::pieces out, distribute::pieces in) {
    for (int r = 0; r < size(); ++r)
      if (r != rank()) sent += out.bytes(r);
    ranks.exchange(out, in);
  }
};

using tagger = graph<"tagger", input<"words", token<40>, steps<8>>, node<"word", embedding<40, 64>, "words">,
                     node<"states", gru<96>, "word">, node<"logits", linear<16>, "states">, output<"logits">>;
template <int Words>
using reader = graph<"reader", input<"words", token<Words>, steps<8>>,
                     node<"word", embedding<Words, 64, sparse>, "words">, node<"states", gru<8>, "word">,
                     node<"logits", linear<16>, "states">, output<"logits">>;

// Of all ranks in the third step: the first one also compares what they have in common. Rows have as many different words as are asked for.
template <class G>
std::size_t bytes_of_step(int ranks, int words = 40) {
  std::vector<std::size_t> sent(static_cast<std::size_t>(ranks));
  in_process::run(ranks, [&](in_process& each) {
    counting world{each};
    parameters<G> theta(seed{1});
    trainer<G, losses::cross_entropy<"logits">, optimizers::sgd, batch<16>, shards<8>> train(
        theta, threads{1}, world);
    for (int step = 0; step < 3; ++step) {
      std::vector<std::vector<int>> read, target;
      for (int r = 0; r < 16; ++r) {
        read.emplace_back();
        target.emplace_back();
        for (int t = 0; t < 8; ++t) {
          read.back().push_back((8 * r + t) % words);
          target.back().push_back((r + t) % 16);
        }
      }
      set_input<"words">(train, read);
      set_input<"target">(train, target);
      world.sent = 0;
      train.step();
    }
    sent[static_cast<std::size_t>(world.rank())] = world.sent;
  });
  std::size_t all = 0;
  for (const std::size_t one : sent) all += one;
  return all;
}

}  // namespace

TEST_CASE(
    "a rank that has a whole subtree of shards sends each gradient once, and each parameter to all others") {
  const double numbers = sizeof(float) * static_cast<double>(parameters<tagger>::learned_size);
  CHECK(bytes_of_step<tagger>(1) == 0);
  for (int ranks : {2, 4, 8}) {
    CAPTURE(ranks);
    const double counted = static_cast<double>(bytes_of_step<tagger>(ranks)) / (ranks - 1) / numbers;
    CHECK(counted >= 2);
    CHECK(counted < 2.02);  // with the loss of each shard, and what rows of 16 numbers leave over
  }
}
TEST_CASE("one that has several sends each of their sums") {
  const double numbers = sizeof(float) * static_cast<double>(parameters<tagger>::learned_size);
  // Of 8 shards in three parts: 0 to 1, 2 to 4, 5 to 7, which are 1, 2 and 2 subtrees.
  const double counted = static_cast<double>(bytes_of_step<tagger>(3)) / numbers;
  CHECK(counted >= 2 + 5 * 2. / 3 - 0.1);
  CHECK(counted < 2 + 5 * 2. / 3 + 0.1);
}
TEST_CASE("those of a sparse table grow with the rows that are touched, not with the table") {
  const std::size_t few = bytes_of_step<reader<200>>(2, 10), same = bytes_of_step<reader<20000>>(2, 10),
                    more = bytes_of_step<reader<20000>>(2, 100);
  CAPTURE(few);
  CAPTURE(same);
  CAPTURE(more);
  CHECK(same < few + few / 20);
  CHECK(more > 2 * same);
  CHECK(more < sizeof(float) * 20000 * 64 / 4);
}

}  // namespace tenon::test
