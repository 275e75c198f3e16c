// Several ranks train as one does, with the same bits for any number of ranks and of threads: what is learned, losses, histories and checkpoints,
// also where a training is stopped and continued by another number of ranks. What they have not alike is said before the first step.
// timeout: 400
#include "support/temporary_file.hpp"
#include "tenon/data/contiguous.hpp"
#include "tenon/data/data_set.hpp"
#include "tenon/distribute/in_process.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/checkpoints/checkpoint.hpp"
#include "tenon/train/loop/fit.hpp"
#include "tenon/train/metrics/metrics.hpp"
#include "tenon/train/trainer/shards.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon::test {
using namespace nn;
using distribute::in_process;

// Two tables, of which the first is multiplied by the layer behind it, two losses, of which one computes what it counts, and dropout.
template <class... Sparse>
using reader =
    graph<"reader", input<"words", token<6>, steps<8>>, input<"topic", token<7>>,
          node<"word", embedding<6, 3, Sparse...>, "words">, node<"states", gru<5>, "word">,
          node<"of topic", embedding<7, 5, Sparse...>, "topic">, node<"sum", add, "states.final", "of topic">,
          node<"logits", chain<dropout<0.25>, linear<3>>, "sum">, node<"next", linear<4>, "states">,
          output<"logits">, output<"next">>;
using loss = losses::sum_of<
    losses::cross_entropy<"logits", "target", losses::class_weights<1, 2, 0.5>, losses::label_smoothing<0.1>>,
    losses::cross_entropy<"next", "following">>;

void feed(auto& t, int step) {
  std::vector<std::vector<int>> words, following;
  std::vector<int> topic, target;
  for (int r = 0; r < 12 - step * 5 % 12; ++r) {
    words.emplace_back();
    following.emplace_back();
    for (int k = 0; k < (r + step) % 9; ++k) {
      words.back().push_back((r / 2 + step + k % 3) % 6);
      following.back().push_back((r + k) % 5 - 1);
    }
    topic.push_back((r + step) % 3);
    target.push_back((r + step) % 4 - 1);
  }
  set_input<"words">(t, words);
  set_input<"topic">(t, topic);
  set_input<"target">(t, target);
  set_input<"following">(t, following);
}
static_assert(differentiation<reader<>, loss, batch<2>>::plan::has_tables);
static_assert(differentiation<reader<sparse>, loss, batch<2>>::plan::has_tables);

void append(std::string& all, const auto* x, std::size_t n) {
  all.append(reinterpret_cast<const char*>(x), n * sizeof *x);
}
// What `ranks` ranks with `count` threads each learn in some steps: the same on all of them.
template <class G, class Rule, class Configure>
std::string learned(int ranks, int count, const Rule& rule, Configure configure) {
  std::vector<std::string> of_rank(static_cast<std::size_t>(ranks));
  in_process::run(ranks, [&](in_process& world) {
    parameters<G> theta(seed{1});
    trainer<G, loss, Rule, batch<12>, shards<6>> train(theta, rule, seed{5}, threads{count}, world);
    configure(train);
    std::string& all = of_rank[static_cast<std::size_t>(world.rank())];
    for (int step = 0; step < 15; ++step) {
      feed(train, step);
      const float now = train.step();
      append(all, &now, 1);
      append(all, std::as_const(theta).data(), theta.block_size);
    }
    train.update();
    append(all, train.averaged().data(), theta.block_size);
  });
  for (const std::string& all : of_rank) CHECK((all == of_rank[0]));
  return of_rank[0];
}
template <class G, class Rule, class Configure>
void check_all(const Rule& rule, Configure configure) {
  const std::string expected = learned<G>(1, 1, rule, configure);
  CHECK((expected != learned<G>(1, 1, rule, [](auto& train) { train.max_value = 1e-3; })));
  for (int ranks : {2, 3, 4, 6})
    for (int count : {1, 2}) {
      CAPTURE(ranks);
      CAPTURE(count);
      CHECK((learned<G>(ranks, count, rule, configure) == expected));
    }
}
const auto as_it_is = [](auto&) {};
const auto with_all = [](auto& train) {
  train.max_value = 0.2;
  train.max_norm = 0.3;
  train.accumulate = 4;
  train.average_decay = 0.9;
  train.groups({{"states.*", {.rate_factor = 0.5, .max_norm = 0.1}},
                {"*.bias*", {.weight_decay = 0}},
                {"next.*", {.frozen = true}}});
};

TEST_CASE("the number of ranks changes no bit") {
  check_all<reader<>>(optimizers::adamw{.learning_rate = 0.02}, as_it_is);
  check_all<reader<>>(optimizers::adamw{.learning_rate = 0.02}, with_all);
}
TEST_CASE("nor with tables whose gradients are sparse") {
  check_all<reader<sparse>>(optimizers::adagrad{.learning_rate = 0.1}, as_it_is);
  check_all<reader<sparse>>(optimizers::sgd{.learning_rate = 0.1}, [](auto& train) {
    train.max_norm = 0.3;
    train.accumulate = 3;
  });
}

// Large enough for several buckets of gradients, which ranks exchange while they still compute.
using wide = graph<"wide", input<"words", token<6>, steps<8>>, input<"topic", token<7>>,
                   node<"word", embedding<6, 96>, "words">, node<"states", gru<128>, "word">,
                   node<"of topic", embedding<7, 128>, "topic">, node<"sum", add, "states.final", "of topic">,
                   node<"logits", chain<linear<200>, activation::tanh, dropout<0.25>, linear<3>>, "sum">,
                   node<"next", linear<4>, "states">, output<"logits">, output<"next">>;
TEST_CASE("nor do buckets") {
  static_assert(parameters<wide>::learned_size > 3 * (1 << 15));
  check_all<wide>(optimizers::adamw{.learning_rate = 0.02}, as_it_is);
  check_all<wide>(optimizers::adamw{.learning_rate = 0.02}, [](auto& train) { train.max_norm = 0.3; });
}

// --- fit -------------------------------------------------------------------------------------------------------

using deep =
    graph<"deep", input<"x", features<2>>,
          node<"logits", chain<linear<8>, activation::relu, dropout<0.5>, linear<2>>, "x">, output<"logits">>;
auto points(int count, double shift = 0) {
  return data_set(column<"x">(count,
                              [=](int r) {
                                return std::array{std::sin(r + shift), std::cos(3. * r)};
                              }),
                  column<"target">(count, [](int r) { return r % 2; }));
}
// A text whose state goes from window to window.
using letters =
    graph<"letters", input<"letters", token<5>, steps<3>>, input<"h0", features<4>>,
          node<"e", embedding<5, 3>, "letters">, node<"states", gru<4>, "e", "h0">,
          node<"logits", chain<dropout<0.25>, linear<5>>, "states">, output<"logits">, output<"states.h_n">>;
std::vector<int> text() {
  std::vector<int> all;
  for (int k = 0; k < 6 * 23; ++k) all.push_back(k * k % 5);
  return all;
}

struct stopped {};
// Ends the training at a step: on all ranks, or on one, as when its machine fails.
struct stop_at {
  long step;
  double operator()(const schedules::progress& p) const {
    if (p.step == step) throw stopped{};
    return 0.05 / (1 + 0.1 * static_cast<double>(p.epoch));
  }
};
// All that a file of a training holds, but for the seconds of its epochs.
std::string contents_of(const std::string& path, std::size_t metrics) {
  const io::safetensors_file file(path);
  std::string all;
  for (const auto& [name, value] : file.metadata())
    if (!name.starts_with("checksum")) all += name + "=" + value + "\n";
  for (const io::named_tensor& t : file.tensors()) {
    const auto* const first = static_cast<const std::byte*>(t.data);
    std::vector<std::byte> bytes(first, first + t.bytes());
    if (t.name == "training.history")
      for (std::size_t k = 3; k < t.size(); k += 4 + metrics)
        std::memset(bytes.data() + k * sizeof(double), 0, sizeof(double));
    all += t.name;
    append(all, bytes.data(), bytes.size());
  }
  return all;
}
struct how {
  int ranks, threads_of_each, epochs = 4;
  long stop = -1;      // at this step
  int stop_only = -1;  // this rank
  std::string path{};
};
// One training: its last file and its history, as bytes.
template <class G, class Trainer, class Data, class Configure>
std::string trained(const how& h, const Data& data, Configure configure) {
  std::string all;
  std::size_t metrics = 0;
  const temporary_folder folder;
  const std::string path = h.path.empty() ? folder.path + "/run.ckpt" : h.path;
  try {
    in_process::run(h.ranks, [&](in_process& world) {
      parameters<G> theta(seed{1});
      Trainer train(theta, {.learning_rate = 0.05}, seed{7}, threads{h.threads_of_each}, world);
      train.average_decay = 0.9;
      train.max_norm = 0.5;
      train.accumulate = 2;
      fit_options<Trainer> options{.epochs = h.epochs, .shuffle = seed{5}};
      const bool stops = h.stop >= 0 && (h.stop_only < 0 || h.stop_only == world.rank());
      options.schedule = stop_at{stops ? h.stop : -1};
      // Only the first rank's disk has the file.
      options.checkpoint = checkpoint{.path = world.rank() == 0 ? path : "/no/such/run.ckpt", .steps = 1};
      configure(options);
      const reports::history history = fit(train, data, options);
      if (world.rank() == 0)
        for (const reports::epoch& e : history.epochs) {
          metrics = e.metrics.size();
          append(all, &e.loss, 1);
          append(all, &e.validation_loss, 1);
          append(all, e.metrics.data(), e.metrics.size());
        }
      // Every rank has all of what is learned, and what it saves by itself is the same file to the last byte.
      io::save_checkpoint(train, folder.path + "/alone.ckpt");
      const float* const mine = std::as_const(theta).data();
      const std::vector<float> theirs = distribute::gather_all(
          distribute::any_communicator(world), std::vector<float>(mine, mine + theta.block_size));
      bool is_same = true;
      for (std::size_t k = 0; k < theirs.size(); ++k)
        is_same = is_same && theirs[k] == mine[k % theta.block_size];
      CHECK(is_same);
    });
  } catch (const stopped&) { return all; }
  std::ifstream alone(folder.path + "/alone.ckpt", std::ios::binary);
  return all + contents_of(path, metrics) + std::string(std::istreambuf_iterator<char>(alone), {});
}
template <class G, class Trainer, class Data, class Configure>
void check_trainings(const Data& data, Configure configure) {
  const auto once = [&](const how& h) { return trained<G, Trainer>(h, data, configure); };
  const std::string expected = once({1, 1});
  for (int ranks : {1, 2, 3, 4})
    for (int count : {1, 2}) {
      CAPTURE(ranks);
      CAPTURE(count);
      CHECK((once({ranks, count}) == expected));
      // Stopped in an epoch, on all ranks or by the failure of one, and continued by another number of either.
      for (int only : {-1, ranks - 1}) {
        const temporary_folder folder;
        const std::string path = folder.path + "/run.ckpt";
        CHECK(once({ranks, count, 4, 5 + ranks, only, path}).empty());
        CHECK((once({5 - ranks, 3 - count, 4, -1, -1, path}) == expected));
      }
    }
}
// Ranks that say for how long they have waited: a second more in each epoch.
struct waiting {
  in_process& ranks;
  mutable double seconds = 0;

  int rank() const { return ranks.rank(); }
  int size() const { return ranks.size(); }
  void gather(distribute::pieces all) { ranks.gather(all); }
  void exchange(distribute::pieces sent, distribute::pieces received) { ranks.exchange(sent, received); }
  double seconds_waited() const { return seconds; }
};
TEST_CASE("the log says what waiting costs") {
  using training = trainer<deep, losses::cross_entropy<"logits">, optimizers::adam, batch<8>, shards<4>>;
  const temporary_folder folder;
  in_process::run(2, [&](in_process& ranks) {
    waiting world{ranks};
    parameters<deep> theta(seed{1});
    training train(theta, threads{1}, world);
    std::FILE* const log = std::fopen((folder.path + "/log" + std::to_string(world.rank())).c_str(), "w");
    fit(train, points(16),
        {.epochs = 2,
         .schedule =
             [&](const schedules::progress& p) {
               world.seconds = 1.25 + static_cast<double>(p.epoch);
               return 0.1;
             },
         .log = log});
    std::fclose(log);
  });
  const std::string said = detail::read_file(folder.path + "/log0");
  CHECK(said.find(" s, 1.25 of them waiting") != std::string::npos);
  CHECK(said.find(" s, 1.00 of them waiting") != std::string::npos);
  CHECK(detail::read_file(folder.path + "/log1").empty());
}
TEST_CASE("what a rank cannot read, no rank can") {
  using training = trainer<deep, losses::cross_entropy<"logits">, optimizers::adam, batch<8>, shards<4>>;
  const temporary_folder folder;
  const std::string path = folder.path + "/run.ckpt";
  std::ofstream(path) << "no checkpoint";
  in_process::run(3, [&](in_process& world) {
    parameters<deep> theta(seed{1});
    training train(theta, threads{1}, world);
    CHECK_THROWS_WITH_AS(io::load_checkpoint(train, world.rank() == 0 ? path : ""),
                         doctest::Contains("run.ckpt: "), data_error);
  });
}
TEST_CASE(
    "fit writes the same history and the same file for any number of ranks, and continues with another") {
  using training = trainer<deep, losses::cross_entropy<"logits">, optimizers::adam, batch<8>, shards<4>>;
  check_trainings<deep, training>(points(37), [](fit_options<training>& options) {
    options.batches = similar_length(2);
    options.validate = points(9, 0.5);
    options.metrics = {metric::accuracy{}};
    options.validate_average = true;
    options.stop = early_stopping{.patience = 3};
  });
}
TEST_CASE("so it does with a long text whose states go from window to window") {
  using training =
      trainer<letters, losses::cross_entropy<"logits", "next">, optimizers::adam, batch<6>, shards<6>>;
  check_trainings<letters, training>(contiguous<"letters", "next", carry<"states.h_n", "h0">>(text()),
                                     [](fit_options<training>&) {});
}

void step(auto& train, int rows = 4) {
  set_input<"x">(train, std::vector<float>(static_cast<std::size_t>(2 * rows), 0.5f));
  set_input<"target">(train, std::vector<int>(static_cast<std::size_t>(rows), 1));
  train.step();
}
// A data set of a program's own, which counts how often each row is read.
struct counted_points {
  std::vector<int>* read;
  int size() const { return static_cast<int>(read->size()); }
  void set_inputs(auto& session, std::span<const int> rows) const {
    std::vector<float> x;
    std::vector<int> targets;
    for (const int row : rows) {
      ++(*read)[static_cast<std::size_t>(row)];
      x.insert(x.end(), {static_cast<float>(row), 1});
      targets.push_back(row % 2);
    }
    set_input<"x">(session, x);
    set_input<"target">(session, targets);
  }
};
TEST_CASE("each rank reads the rows of its shards, and no others") {
  using training = trainer<deep, losses::cross_entropy<"logits">, optimizers::sgd, batch<8>, shards<4>>;
  for (int ranks : {1, 2, 3, 4}) {
    std::vector<std::vector<int>> read(static_cast<std::size_t>(ranks), std::vector<int>(27));
    in_process::run(ranks, [&](in_process& world) {
      parameters<deep> theta(seed{1});
      training train(theta, threads{1}, world);
      fit(train, counted_points{&read[static_cast<std::size_t>(world.rank())]},
          {.epochs = 3, .log = nullptr});
      CHECK(train.rows() == 3);
      step(train, 5);  // of a whole batch again
      CHECK(train.rows() == 5);
    });
    for (std::size_t row = 0; row < 27; ++row) {
      int times = 0;
      for (const auto& of_rank : read) times += of_rank[row];
      CHECK(times == 3);
    }
  }
}
TEST_CASE("one of the ranks writes lines; what one of them decides ends the training of all") {
  using training = trainer<deep, losses::cross_entropy<"logits">, optimizers::sgd, batch<4>, shards<4>>;
  const temporary_folder folder;
  std::FILE* const log = std::fopen((folder.path + "/log").c_str(), "w+");
  in_process::run(3, [&](in_process& world) {
    parameters<deep> theta(seed{1});
    training train(theta, threads{1}, world);
    const auto history =
        fit(train, points(12),
            {.epochs = 5,
             .after_epoch = [&](const reports::epoch& e) { return world.rank() != 2 || e.epoch < 2; },
             .log = log});
    CHECK(history.epochs.size() == 2);
  });
  std::rewind(log);
  int lines = 0;
  for (int c = std::fgetc(log); c != EOF; c = std::fgetc(log)) lines += c == '\n';
  std::fclose(log);
  CHECK(lines == 2);
}

// --- errors ----------------------------------------------------------------------------------------------------

// What the ranks throw, all of them the same, and what they learned until then.
template <class Make>
std::string thrown_by(int ranks, Make make) {
  std::vector<std::string> said(static_cast<std::size_t>(ranks));
  in_process::run(ranks, [&](in_process& world) {
    try {
      make(world);
    } catch (const input_error& error) { said[static_cast<std::size_t>(world.rank())] = error.what(); }
  });
  for (const std::string& one : said) CHECK(one == said[0]);
  return said[0];
}
template <int N = 4>
using small = trainer<deep, losses::cross_entropy<"logits">, optimizers::sgd, batch<2 * N>, shards<N>>;
TEST_CASE("what the ranks have not alike is named before the first step, and nothing changes") {
  CHECK(thrown_by(3,
                  [](in_process& world) {
                    parameters<deep> theta(seed{1});
                    small<2> train(theta, threads{1}, world);
                  }) ==
        "trainer: 3 ranks, and shards<2> cuts a batch into 2; start at most 2 ranks, or write shards<3>, "
        "which gives "
        "other bits");
  CHECK(thrown_by(3, [](in_process& world) {
          parameters<deep> theta(seed{world.rank() == 2 ? 4u : 1u}), before = theta;
          small<> train(theta, threads{1}, world);
          try {
            step(train);
          } catch (...) {
            CHECK(std::equal(theta.data(), theta.data() + theta.block_size, before.data()));
            CHECK(train.steps() == 0);
            throw;
          }
        }) == "trainer: all ranks must have the same parameters; that of rank 2 is not that of rank 0");
  CHECK(thrown_by(2,
                  [](in_process& world) {
                    parameters<deep> theta(seed{1});
                    small<> train(theta, {.learning_rate = world.rank() == 0 ? 0.1 : 0.2}, {}, threads{1},
                                  world);
                    step(train);
                  }) ==
        "trainer: all ranks must have the same numbers of the update rule; that of rank 1 is not that of "
        "rank 0");
  CHECK(thrown_by(2, [](in_process& world) {
          parameters<deep> theta(seed{1});
          small<> train(theta, threads{1}, world);
          train.max_norm = world.rank();
          step(train);
        }) == "trainer: all ranks must have the same max_norm; rank 0 has 0, rank 1 has 1");
  CHECK(thrown_by(2, [](in_process& world) {
          const auto run = [&]<int N>(std::integral_constant<int, N>) {
            parameters<deep> theta(seed{1});
            small<N> train(theta, threads{1}, world);
            step(train);
          };
          if (world.rank() == 0) run(std::integral_constant<int, 4>{});
          else run(std::integral_constant<int, 6>{});
        }) == "trainer: all ranks must have the same batch size; rank 0 has 8, rank 1 has 12");
  CHECK(thrown_by(4, [](in_process& world) {
          parameters<deep> theta(seed{1});
          small<> train(theta, threads{1}, world);
          fit(train, points(world.rank() == 3 ? 9 : 12), {.log = nullptr});
        }) == "fit: all ranks must have the same rows of data; rank 0 has 12, rank 3 has 9");
}
TEST_CASE("an error that all have caught comes again") {
  in_process::run(2, [](in_process& world) {
    parameters<deep> theta(seed{world.rank() == 0 ? 1u : 2u});
    small<> train(theta, threads{1}, world);
    for (int k = 0; k < 2; ++k) CHECK_THROWS_AS(step(train), input_error);
    theta = parameters<deep>(seed{1});
    CHECK_NOTHROW(step(train));
  });
}
TEST_CASE("fit compares what the ranks do, too") {
  const auto of = [](auto change) {
    return thrown_by(2, [change](in_process& world) {
      const temporary_folder folder;
      parameters<deep> theta(seed{1});
      small<> train(theta, threads{1}, world);
      fit_options<small<>> options{.log = nullptr};
      if (world.rank() == 1) change(train, options, folder.path + "/run.ckpt");
      fit(train, points(8), options);
    });
  };
  CHECK(of([](auto& train, auto&, const std::string&) {
          train.groups({{"*.bias", {.frozen = true}}});
        }) == "fit: all ranks must have the same groups of parameters; that of rank 1 is not that of rank 0");
  CHECK(of([](auto&, auto& options, const std::string& path) {
          options.checkpoint = checkpoint{.path = path, .steps = 3};
        }) == "fit: all ranks must have the same epochs between checkpoints; rank 0 has 0, rank 1 has 1");
  CHECK(of([](auto&, auto& options, const std::string&) { options.stop = early_stopping{.patience = 3}; }) ==
        "fit: all ranks must have the same patience of .stop; rank 0 has 0, rank 1 has 3");
}
TEST_CASE("all ranks wait for the first one's file, and fail as it does") {
  const temporary_folder folder;
  const std::string path = folder.path + "/run.ckpt";
  in_process::run(3, [&](in_process& world) {
    parameters<deep> theta(seed{1}), kept = theta;
    small<> train(theta, {.learning_rate = 0.5}, {}, threads{1}, world);
    for (int k = 0; k < 20; ++k) {
      step(train);
      kept = theta;
      io::save_checkpoint(train, path);
      step(train);
      io::load_checkpoint(train, path);
      CHECK(std::equal(theta.data(), theta.data() + theta.block_size, kept.data()));
    }
    CHECK_THROWS_AS(io::save_checkpoint(train, folder.path + "/nowhere/run.ckpt"), data_error);
    CHECK_NOTHROW(step(train));  // all of them go on
  });
}
TEST_CASE("a state goes back to the rank that it is of") {
  small<>::state_type of_first = [] {
    parameters<deep> theta(seed{1});
    return small<>(theta, threads{1}).state();
  }();
  in_process::run(2, [&](in_process& world) {
    parameters<deep> theta(seed{2}), before = theta;
    trainer<deep, losses::cross_entropy<"logits">, optimizers::sgd, batch<8>, shards<4>> train(
        theta, threads{1}, world);
    CHECK_THROWS_WITH_AS(train.restore(of_first),
                         "restore: this state is of another rank, or of another number of ranks",
                         input_error);
    CHECK(std::equal(theta.data(), theta.data() + theta.block_size, before.data()));
    step(train);
    const auto state = train.state();
    step(train);
    const parameters<deep> after = theta;
    train.restore(state);
    step(train);
    CHECK(std::equal(theta.data(), theta.data() + theta.block_size, after.data()));
  });
}
TEST_CASE_TEMPLATE("gradients are added to what the caller has, with the bits of one rank", G, reader<>,
                   reader<sparse>) {
  using learner = trainer<G, loss, optimizers::sgd, batch<12>, shards<6>>;
  const auto sums = [](int ranks) {
    std::vector<std::vector<float>> all(static_cast<std::size_t>(ranks));
    in_process::run(ranks, [&](in_process& world) {
      parameters<G> theta(seed{1}), sum(zeros{});
      learner train(theta, threads{2}, world);
      for (int k = 0; k < 3; ++k) {
        feed(train, k);
        train.session().randomness(seed{3}, static_cast<std::uint64_t>(k));
        train.session().forward(theta);
        train.session().backward(theta, sum);
      }
      all[static_cast<std::size_t>(world.rank())].assign(sum.data(), sum.data() + sum.block_size);
    });
    for (const auto& one : all) CHECK((one == all[0]));
    return all[0];
  };
  const std::vector<float> expected = sums(1);
  for (int ranks : {2, 3, 4, 6}) CHECK((sums(ranks) == expected));
}
TEST_CASE("outputs are read on the rank that has the shard") {
  in_process::run(2, [](in_process& world) {
    parameters<deep> theta(seed{1});
    small<> train(theta, threads{1}, world);
    step(train, 8);
    CHECK(get<"logits">(train.shard(2 * world.rank() + 1)).shape(0) == 2);
    if (world.rank() == 1)
      CHECK_THROWS_WITH_AS(train.shard(0), "shard(0): this rank has the shards 2 to 3", input_error);
    else CHECK_THROWS_AS(train.shard(2), input_error);
  });
}
TEST_CASE("a batch with rows for some ranks only, and a loss that is not finite on one") {
  CHECK(thrown_by(4, [](in_process& world) {
          parameters<deep> theta(seed{1}), before = theta;
          small<> train(theta, threads{1}, world);
          step(train, 1);
          CHECK(train.steps() == 1);
          before = theta;
          std::vector<float> x(16, 0.5f);
          x[15] = std::numeric_limits<float>::quiet_NaN();
          set_input<"x">(train, x);
          set_input<"target">(train, std::vector<int>(8, 1));
          try {
            train.step();
          } catch (const training_error& error) {
            CHECK(std::equal(theta.data(), theta.data() + theta.block_size, before.data()));
            throw input_error(error.what());
          }
        }) == "the loss is nan at step 2; the first node with a value that is not finite is 'logits.1'");
}

}  // namespace tenon::test
