// A training by two ranks beside the same training by two threads, in turns, on two cores; the bytes that a rank sends; MPI's own ping-pong.
//   bench/ranks/run [ROUNDS]
// While one kind runs on rank 0, rank 1 sleeps. For each network: the time of a step with two threads and with two ranks, and their ratio where
// the ranks may spend the time of their bytes at the rate of the ping-pong: 1 is the best that an exchange without overlap can reach.
#include <tenon/data.hpp>
#include <tenon/distribute/mpi.hpp>
#include <tenon/tenon.hpp>
#include <tenon/train.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

namespace {

double median(std::vector<double> of) {
  std::sort(of.begin(), of.end());
  return of[of.size() / 2];
}
double quantile(std::vector<double> of, double q) {
  std::sort(of.begin(), of.end());
  return of[static_cast<std::size_t>(q * static_cast<double>(of.size() - 1))];
}

// --- messages of the bench itself: it waits without work, so that one rank may have both cores -------------------

enum { turn = 7, ball = 8 };
void wake(int rank) { MPI_Send(nullptr, 0, MPI_BYTE, rank, turn, MPI_COMM_WORLD); }
void sleep_until_woken(int by) {
  for (int is_there = 0; is_there == 0; usleep(500))
    MPI_Iprobe(by, turn, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
  MPI_Recv(nullptr, 0, MPI_BYTE, by, turn, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
// Seconds that a message of this many bytes takes, one way.
double ping_pong(int me, std::size_t bytes, int times) {
  static std::vector<char> there;
  there.resize(std::max(there.size(), bytes));
  const int count = static_cast<int>(bytes);
  const double begun = MPI_Wtime();
  for (int k = 0; k < times; ++k)
    for (int from = 0; from < 2; ++from)
      if (me == from) MPI_Send(there.data(), count, MPI_BYTE, 1 - me, ball, MPI_COMM_WORLD);
      else MPI_Recv(there.data(), count, MPI_BYTE, 1 - me, ball, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return (MPI_Wtime() - begun) / (2 * times);
}

// --- networks -----------------------------------------------------------------------------------------------------

using index_lookup = graph<"index_lookup", input<"tokens", token<10>, steps<10>>, input<"index", token<10>>,
                           node<"embedded", embedding<10, 128>, "tokens">,
                           node<"states", lstm<32, bidirectional, layers<2>, dropout<0.5>>, "embedded">,
                           node<"query", chain<embedding<10, 128>, linear<64>>, "index">,
                           node<"context", attention<score::dot>, "query", "states">,
                           node<"logits", linear<10>, "context">, output<"logits">>;
using words =
    graph<"words", input<"text", token<33278>, steps<35>>, node<"embedded", embedding<33278, 200>, "text">,
          node<"states", lstm<200, layers<2>>, "embedded">, node<"logits", linear<33278>, "states">,
          tied<"embedded.weight", "logits.weight">, output<"logits">>;
using transformer = graph<"transformer", input<"text", token<1000>, steps<64>>,
                          node<"embedded", embedding<1000, 128>, "text">,
                          node<"first", transformer_encoder<128, 4, 512>, "embedded">,
                          node<"second", transformer_encoder<128, 4, 512>, "first">,
                          node<"logits", linear<1000>, "second">, output<"logits">>;
using vectors = graph<
    "vectors", input<"word", token<100000>>, input<"near", token<100000>, steps<6>>,
    node<"in", embedding<100000, 100, sparse>, "word">, node<"out", embedding<100000, 100, sparse>, "near">,
    node<"seen", attention<score::dot>, "in", "out">, node<"logits", linear<10>, "seen">, output<"logits">>;

std::vector<std::vector<int>> tokens(int rows, int steps, int kinds) {
  std::vector<std::vector<int>> all(static_cast<std::size_t>(rows));
  unsigned state = 1;
  for (auto& row : all)
    for (int t = 0; t < steps; ++t)
      row.push_back(static_cast<int>((state = state * 1664525u + 1013904223u) >> 8) % kinds);
  return all;
}
std::vector<int> column_of(const std::vector<std::vector<int>>& all) {
  std::vector<int> first;
  for (const auto& row : all) first.push_back(row[0]);
  return first;
}

// --- a training by threads, and by ranks ----------------------------------------------------------------------------

template <class Training, class G, class Feed>
void compare(const char* name, distribute::mpi& world, int rounds, int steps, Feed feed) {
  const int me = world.rank();
  parameters<G> by_threads(seed{1}), by_ranks(seed{1});
  Training threaded(by_threads, threads{2}), ranked(by_ranks, threads{1}, world);
  feed(threaded);
  feed(ranked);
  ranked.step();
  ranked.step();
  std::uint64_t sent = world.bytes_sent(), calls = world.calls();
  ranked.step();
  calls = world.calls() - calls;
  sent = world.bytes_sent() - sent;
  MPI_Allreduce(MPI_IN_PLACE, &sent, 1, MPI_UINT64_T, MPI_MAX,
                MPI_COMM_WORLD);  // rows that are touched differ between ranks
  std::vector<double> one, two, times, waits, ratio, reached;
  for (int round = 0; round < rounds; ++round) {
    double here = 0;
    if (me == 0) {
      threaded.step();
      const double begun = MPI_Wtime();
      for (int k = 0; k < steps; ++k) threaded.step();
      here = (MPI_Wtime() - begun) / steps;
      wake(1);
    } else {
      sleep_until_woken(0);
    }
    ranked.step();
    const double begun = MPI_Wtime(), waited = world.seconds_waited();
    for (int k = 0; k < steps; ++k) ranked.step();
    const double there = (MPI_Wtime() - begun) / steps;
    waits.push_back((world.seconds_waited() - waited) / steps);
    const double exchange = ping_pong(me, static_cast<std::size_t>(sent), sent > 100000 ? 5 : 200);
    one.push_back(here);
    two.push_back(there);
    times.push_back(exchange);
    ratio.push_back(here / there);
    reached.push_back((here + exchange) / there);
  }
  if (me == 0)
    std::printf("| %s | %ld | %.3f | %d | %.2f | %.2f | %.2f | %.2f | %.3f | %.3f (%.3f to %.3f) |\n", name,
                static_cast<long>(parameters<G>::learned_size), 1e-6 * static_cast<double>(sent),
                static_cast<int>(calls), 1e3 * median(one), 1e3 * median(two), 1e3 * median(waits),
                1e3 * median(times), median(ratio), median(reached), quantile(reached, 0.25),
                quantile(reached, 0.75));
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  distribute::mpi world(count, arguments);
  if (world.size() != 2) return std::fprintf(stderr, "ranks: start it with 2 ranks\n"), 2;
  const int rounds = count > 1 ? std::atoi(arguments[1]) : 9, me = world.rank();
  const double latency = ping_pong(me, 8, 10000), large = ping_pong(me, 1 << 24, 10);
  if (me == 0) {
    std::printf("ping-pong: 8 bytes %.2f us, 16 MiB %.2f GB/s\n\n", 1e6 * latency, 1e-9 * (1 << 24) / large);
    std::printf(
        "| network | learned numbers | MB that a rank sends in a step | calls | step of 2 threads, ms | of 2 "
        "ranks, ms | of it waiting, ms | ping-pong of "
        "its bytes, ms | threads / ranks | (threads + ping-pong) / ranks (quartiles) "
        "|\n|---|---|---|---|---|---|---|---|---|---|\n");
  }
  compare<trainer<index_lookup, losses::cross_entropy<"logits">, optimizers::adam, batch<256>, shards<2>>,
          index_lookup>("S1, batch 256", world, rounds, 30, [](auto& t) {
    set_input<"tokens">(t, tokens(256, 10, 10));
    set_input<"index">(t, column_of(tokens(256, 1, 10)));
    set_input<"target">(t, column_of(tokens(256, 1, 10)));
  });
  compare<trainer<words, losses::cross_entropy<"logits">, optimizers::sgd, batch<20>, shards<2>>, words>(
      "words, batch 20 x 35", world, rounds, 2, [](auto& t) {
        set_input<"text">(t, tokens(20, 35, 33278));
        set_input<"target">(t, tokens(20, 35, 33278));
      });
  compare<trainer<transformer, losses::cross_entropy<"logits">, optimizers::adam, batch<32>, shards<2>>,
          transformer>("transformer, batch 32 x 64", world, rounds, 4, [](auto& t) {
    set_input<"text">(t, tokens(32, 64, 1000));
    set_input<"target">(t, tokens(32, 64, 1000));
  });
  compare<trainer<vectors, losses::cross_entropy<"logits">, optimizers::adagrad, batch<256>, shards<2>>,
          vectors>("word vectors, sparse, batch 256", world, rounds, 30, [](auto& t) {
    set_input<"word">(t, column_of(tokens(256, 1, 100000)));
    set_input<"near">(t, tokens(256, 6, 100000));
    set_input<"target">(t, column_of(tokens(256, 1, 10)));
  });
}
