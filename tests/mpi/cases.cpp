#include "mpi/cases.hpp"

#include <tenon/data.hpp>
#include <tenon/tenon.hpp>
#include <tenon/train.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace cases {
using namespace tenon;
using namespace tenon::nn;

namespace {

std::size_t length(int from, int to) { return static_cast<std::size_t>((from * 7 + to * 11) % 5) * 1000; }
std::byte number(int from, int to, std::size_t k) {
  return static_cast<std::byte>((static_cast<std::size_t>(from * 31 + to * 17) + k) % 251);
}
struct block {
  std::vector<std::size_t> begin{0};
  std::vector<std::byte> bytes{};
  void add(std::size_t count) { begin.push_back(begin.back() + count); }
  distribute::pieces pieces() {
    bytes.resize(begin.back() + 1);
    return {bytes.data(), begin.data()};
  }
};

using reader = graph<"reader", input<"words", token<6>, steps<8>>, node<"word", embedding<6, 3>, "words">,
                     node<"states", gru<5>, "word">,
                     node<"logits", chain<dropout<0.25>, linear<3>>, "states.final">, output<"logits">>;
auto sentences() {
  std::vector<std::vector<int>> words;
  std::vector<int> target;
  for (int r = 0; r < 50; ++r) {
    words.emplace_back();
    for (int k = 0; k <= r % 8; ++k) words.back().push_back((r * 5 + k * k) % 6);
    target.push_back(words.back()[0] % 3);
  }
  return data_set(column<"words">(words), column<"target">(target));
}

}  // namespace

int pieces(any_communicator world) {
  const int me = world.rank(), ranks = world.size();
  int wrong = 0;
  for (int round = 0; round < 20; ++round) {
    block sent, received, all;
    for (int r = 0; r < ranks; ++r) {
      sent.add(length(me, r + round));
      received.add(length(r, me + round));
      all.add(length(r, round));
    }
    const distribute::pieces out = sent.pieces(), in = received.pieces(), each = all.pieces();
    for (int r = 0; r < ranks; ++r)
      for (std::size_t k = 0; k < out.bytes(r); ++k) out.of(r)[k] = number(me, r, k);
    for (std::size_t k = 0; k < each.bytes(me); ++k) each.of(me)[k] = number(me, 99, k);
    world.exchange(out, in);
    world.gather(each);
    for (int r = 0; r < ranks; ++r) {
      for (std::size_t k = 0; k < in.bytes(r); ++k) wrong += in.of(r)[k] != number(r, me, k);
      for (std::size_t k = 0; k < each.bytes(r); ++k) wrong += each.of(r)[k] != number(r, 99, k);
    }
  }
  return wrong > 0;
}

int unfit(any_communicator world) {
  std::vector<std::byte> bytes(1000);
  std::vector<std::size_t> begin(static_cast<std::size_t>(world.size()) + 1);
  for (std::size_t r = 0; r < begin.size(); ++r) begin[r] = r * (world.rank() == 0 ? 8 : 16);
  try {
    world.gather({bytes.data(), begin.data()});
  } catch (const input_error& error) {
    return std::strstr(error.what(), "sends another number of bytes than rank") == nullptr;
  }
  return 1;
}

int train(any_communicator world, int count, char** arguments) {
  const std::string path = arguments[0];
  const int epochs = std::atoi(arguments[1]), last = count > 3 ? std::atoi(arguments[2]) : 0;
  parameters<reader> theta(seed{1});
  trainer<reader, losses::cross_entropy<"logits">, optimizers::adamw, batch<12>, shards<4>> training(
      theta, {.learning_rate = 0.02}, seed{5}, threads{1}, world);
  training.max_norm = 0.5;
  training.average_decay = 0.9;
  fit(training, sentences(),
      {.epochs = epochs,
       .shuffle = seed{3},
       .validate = sentences(),
       .checkpoint =
           checkpoint{world.rank() == 0 ? path : "/no/such/file"},  // only the first rank's disk has it
       .after_epoch =
           [&](const reports::epoch& epoch) {
             if (epoch.epoch == last && world.rank() == std::atoi(arguments[3])) std::raise(SIGKILL);
             return true;
           },
       .log = stdout});
  if (world.rank() > 0) return 0;
  // Without the seconds of epochs, which are another each time.
  std::uint64_t hash = 14695981039346656037u;
  const auto add = [&](const float* x, int size) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(size) * sizeof *x; ++k)
      hash = (hash ^ reinterpret_cast<const unsigned char*>(x)[k]) * 1099511628211u;
  };
  add(std::as_const(theta).data(), theta.block_size);
  const parameters<reader> averaged = training.averaged();
  add(averaged.data(), averaged.block_size);
  std::printf("learned %016llx\n", static_cast<unsigned long long>(hash));
  return 0;
}

int lose(any_communicator world, const std::string& how, int rank) {
  for (int round = 0; round < 1000000; ++round) {
    world.begins_step(round + 1);
    if (round == 10 && world.rank() == rank) {
      if (how == "patience") std::raise(SIGSTOP);
      if (how == "kill") std::raise(SIGKILL);
      throw std::runtime_error("the disk is full");
    }
    if (pieces(world) != 0) return 3;
  }
  return 4;
}

}  // namespace cases
