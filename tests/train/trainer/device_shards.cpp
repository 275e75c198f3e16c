// shards<N> on a device, here Thrust's on a plain CPU, with ranks over a fake of NCCL: the numbers of the host's shards, and the same bits for any number
// of ranks, whether steps are captured or not.
#include "tenon/train/trainer/device_shards.hpp"

#include "support/nccl/fake_nccl.hpp"
#include "support/temporary_file.hpp"
#include "tenon/backend/thrust/thrust.hpp"
#include "tenon/data/contiguous.hpp"
#include "tenon/data/data_set.hpp"
#include "tenon/distribute/in_process.hpp"
#include "tenon/distribute/nccl.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/checkpoints/checkpoint.hpp"
#include "tenon/train/loop/fit.hpp"
#include "tenon/train/metrics/metrics.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon::test {
using namespace nn;
using distribute::in_process;
using there = on<backend::thrust_device>;

// Two tables, of which one is multiplied by the layer behind it, and three losses: one computes what it counts, one counts its targets, one its rows.
template <class... Dropped>
using reader_of =
    graph<"reader", input<"words", token<6>, steps<8>>, input<"topic", token<7>>, input<"x", features<2>>,
          node<"word", embedding<6, 3>, "words">, node<"states", gru<5>, "word">,
          node<"of topic", embedding<7, 5>, "topic">, node<"of x", linear<5>, "x">,
          node<"sum", add, "states.final", "of topic">, node<"all", add, "sum", "of x">,
          node<"logits", chain<Dropped..., linear<3>>, "all">, node<"next", linear<4>, "states">,
          node<"y", linear<2>, "all">, output<"logits">, output<"next">, output<"y">>;
using loss = losses::sum_of<
    losses::cross_entropy<"logits", "target", losses::class_weights<1, 2, 0.5>, losses::label_smoothing<0.1>>,
    losses::cross_entropy<"next", "following">, losses::mse<"y", "point">>;
using reader = reader_of<>;
using dropping = reader_of<dropout<0.25>>;

void feed(auto& t, int step) {
  std::vector<std::vector<int>> words, following;
  std::vector<int> topic, target;
  std::vector<float> x;
  const int rows = 12 - step * 5 % 12;
  for (int r = 0; r < rows; ++r) {
    words.emplace_back();
    following.emplace_back();
    for (int k = 0; k < (r + step) % 9; ++k) {
      words.back().push_back((r / 2 + step + k % 3) % 6);
      following.back().push_back((r + k) % 5 - 1);
    }
    topic.push_back((r + step) % 3);
    target.push_back((r + step) % 4 - 1);
    for (int k = 0; k < 2; ++k) x.push_back(std::sin(float(5 * r + k + step)));
  }
  set_input<"words">(t, words);
  set_input<"topic">(t, topic);
  set_input<"x">(t, view<const float>(x.data(), {rows, 2}));
  set_input<"target">(t, target);
  set_input<"following">(t, following);
  set_input<"point">(t, view<const float>(x.data(), {rows, 2}));
}
void append(std::string& all, const auto* x, std::size_t n) {
  all.append(reinterpret_cast<const char*>(x), n * sizeof *x);
}

// --- one rank ----------------------------------------------------------------------------------------------------

// Both trainers in the same steps: losses, gradients, parameters and outputs.
template <class One, class Other>
void check_alike(One& one, Other& other, double tolerance) {
  const auto near = [&](const float* a, const float* b, int count) {
    double most = 0;
    for (int k = 0; k < count; ++k) most = std::max(most, std::abs(double(a[k]) - double(b[k])));
    CHECK(most <= tolerance);
  };
  for (int step = 0; step < 24; ++step) {
    feed(one, step < 12 ? step : step % 4);  // the last shapes recur
    feed(other, step < 12 ? step : step % 4);
    const double loss_of_one = double(one.step());
    CHECK(loss_of_one > 0);
    CHECK(std::abs(double(other.step()) - loss_of_one) <= tolerance);
    CHECK(other.rows() == one.rows());
    near(one.gradients().data(), other.gradients().data(), parameters<reader>::learned_size);
    near(std::as_const(one.theta()).data(), std::as_const(other.theta()).data(),
         parameters<reader>::learned_size);
  }
}
TEST_CASE("a device's shards train as the host's do, and as a device does in one piece") {
  parameters<reader> a(seed{1}), b(seed{1}), c(seed{1}), d(seed{1});
  constexpr optimizers::sgd rule{.learning_rate = 0.2};
  trainer<reader, loss, optimizers::sgd, batch<12>, shards<6>> host(a, rule);
  trainer<reader, loss, optimizers::sgd, batch<12>, shards<6>, there> cut(b, rule);
  check_alike(host, cut, 2e-6);
  trainer<reader, loss, optimizers::sgd, batch<12>, there> whole(c, rule);
  trainer<reader, loss, optimizers::sgd, batch<12>, shards<4>, there, captured> quarters(d, rule);
  check_alike(whole, quarters, 2e-6);
  CHECK(quarters.captured_shapes() > 0);
}
TEST_CASE("with dropout, limits and several batches for an update, too") {
  parameters<dropping> a(seed{1}), b(seed{1});
  trainer<dropping, loss, optimizers::adam, batch<12>, shards<6>> host(a, {.learning_rate = 0.01}, seed{3});
  trainer<dropping, loss, optimizers::adam, batch<12>, shards<6>, there> cut(b, {.learning_rate = 0.01},
                                                                             seed{3});
  const auto configure = [](auto& train) {
    train.max_value = 0.2;
    train.max_norm = 0.3;
    train.groups({{"states.*", {.rate_factor = 0.5, .max_norm = 0.1}}, {"next.*", {.frozen = true}}});
  };
  configure(host);
  configure(cut);
  for (int step = 0; step < 12; ++step) {
    feed(host, step);
    feed(cut, step);
    const double expected = double(host.step());
    CHECK(std::abs(double(cut.step()) - expected) <= 1e-5);
  }
}
TEST_CASE("the gradient of a session that is cut is that of the whole batch, and is added") {
  using cut = trainer<reader, loss, optimizers::sgd, batch<12>, shards<6>, there>::session_type;
  const parameters<reader> theta(seed{1});
  parameters<reader> expected{zeros{}}, found{zeros{}};
  differentiation<reader, loss, batch<12>> whole;
  cut session;
  feed(whole, 1);
  feed(session, 1);
  const double loss_of_whole = double(whole.forward(theta));
  whole.backward(theta, expected);
  CHECK(std::abs(double(session.forward(theta)) - loss_of_whole) <= 1e-6);
  CHECK(session.positions() == doctest::Approx(whole.positions()));
  session.backward(theta, found);
  CHECK_THROWS_WITH_AS(session.backward(theta, found),
                       doctest::Contains("expected a forward pass just before it"), input_error);
  session.forward(theta);
  session.backward(theta, found);
  for (int k = 0; k < parameters<reader>::learned_size; ++k)
    REQUIRE(double(std::as_const(found).data()[k]) ==
            doctest::Approx(2 * double(std::as_const(expected).data()[k])).epsilon(1e-4).scale(1e-2));
}
// Breaks a weight, and returns what is said; the parameters stay.
template <class... Options>
std::string said_of_no_number() {
  parameters<reader> theta(seed{1});
  trainer<reader, loss, optimizers::sgd, batch<12>, shards<6>, Options...> train(theta,
                                                                                 {.learning_rate = 0.1});
  get<"of x.weight">(theta)(0, 0) = std::numeric_limits<float>::infinity();
  const float* const now = std::as_const(theta).data();
  const std::vector<float> before(now, now + theta.block_size);
  feed(train, 0);
  std::string said;
  try {
    train.step();
  } catch (const training_error& e) { said = e.what(); }
  CHECK(std::memcmp(before.data(), std::as_const(theta).data(), before.size() * sizeof(float)) == 0);
  return said;
}
TEST_CASE("a loss that is not finite names its node, and changes nothing") {
  const std::string said = said_of_no_number<there>();
  CHECK(said.find("the first node with a value that is not finite is '") != std::string::npos);
  CHECK(said == said_of_no_number());
}

// --- several ranks -----------------------------------------------------------------------------------------------

// What `ranks` ranks learn in some steps: the same on all of them.
template <class Trainer, class Configure>
std::string learned(int ranks, Configure configure) {
  std::vector<std::string> of_rank(static_cast<std::size_t>(ranks));
  in_process::run(ranks, [&](in_process& host) {
    distribute::nccl world(host);
    parameters<dropping> theta(seed{1});
    Trainer train(theta, {.learning_rate = 0.02}, seed{5}, world);
    configure(train);
    std::string& all = of_rank[static_cast<std::size_t>(host.rank())];
    for (int step = 0; step < 24; ++step) {
      feed(train, step < 12 ? step : step % 4);  // the last shapes recur
      const float now = train.step();
      append(all, &now, 1);
      append(all, std::as_const(theta).data(), theta.block_size);
    }
    train.update();
    append(all, train.averaged().data(), theta.block_size);
    append(all, train.gradients().data(), theta.block_size);
    if constexpr (requires { train.captured_shapes(); }) CHECK(train.captured_shapes() > 0);
  });
  for (const std::string& all : of_rank) CHECK((all == of_rank[0]));
  return of_rank[0];
}
template <class... Options>
using ranked = trainer<dropping, loss, optimizers::adamw, batch<12>, shards<6>, there, Options...>;

TEST_CASE("the number of ranks changes no bit, nor does capture") {
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
  const auto check = [](auto configure) {
    const std::string expected = learned<ranked<>>(1, configure);
    CHECK((expected != learned<ranked<>>(1, [](auto& train) { train.max_value = 1e-3; })));
    for (int ranks : {1, 2, 3, 4, 6}) {
      CAPTURE(ranks);
      CHECK((learned<ranked<captured>>(ranks, configure) == expected));
    }
    CHECK((learned<ranked<>>(3, configure) == expected));
  };
  check(as_it_is);
  check(with_all);
}
// NCCL demands of ranks that they capture together, and queue what was captured together. Here each rank has sequences of its own lengths.
TEST_CASE("all ranks capture in the same steps, whatever the lengths in their rows") {
  constexpr int ranks = 3, steps = 40;
  std::vector<std::vector<int>> shapes(ranks);
  in_process::run(ranks, [&](in_process& host) {
    distribute::nccl world(host);
    parameters<dropping> theta(seed{1});
    ranked<captured> train(theta, {.learning_rate = 0.02}, seed{5}, world);
    for (int step = 0; step < steps; ++step) {
      feed(train, step % 5 < 3 ? step % 5 : step % 7);
      train.step();
      shapes[static_cast<std::size_t>(host.rank())].push_back(train.captured_shapes());
    }
  });
  CHECK(shapes[0].back() > 2);
  for (const std::vector<int>& of_rank : shapes) CHECK((of_rank == shapes[0]));
}
TEST_CASE("the bytes of a step are those of slices and sums") {
  constexpr int steps = 3, ranks = 3;
  in_process::run(ranks, [&](in_process& host) {
    distribute::nccl world(host);
    parameters<reader> theta(seed{1});
    trainer<reader, loss, optimizers::sgd, batch<12>, shards<6>, there> train(theta, {.learning_rate = 0.1},
                                                                              {}, world);
    for (int step = 0; step < steps; ++step) {
      feed(train, 0);  // all shards have rows
      train.step();
    }
    // By the tree over six shards in three ranks of two: each rank has one sum of both its shards. It goes to the owner of a slice, and that
    // owner's sum to all; and each shard tells two sums of two numbers.
    constexpr distribute::block_slices slices{parameters<reader>::learned_size, 6};
    const auto length = [&](int rank) { return slices.begin(2 * rank + 2) - slices.begin(2 * rank); };
    std::ptrdiff_t numbers = 0;
    for (int other = 0; other < ranks; ++other)
      if (other != host.rank()) numbers += length(other) + length(host.rank());
    const std::ptrdiff_t told = 2 * 2 * 2 * std::ptrdiff_t(sizeof(double)) * (ranks - 1);
    CHECK(std::ptrdiff_t(world.bytes_sent_there()) ==
          steps * (numbers * std::ptrdiff_t(sizeof(float)) + told));
  });
}
TEST_CASE("a rank has the outputs of its own shards, and says what is another's") {
  in_process::run(2, [](in_process& host) {
    distribute::nccl world(host);
    parameters<reader> theta(seed{1});
    trainer<reader, loss, optimizers::sgd, batch<12>, shards<6>, there> train(theta, world);
    feed(train, 0);
    train.step();
    CHECK(std::isfinite(get<"logits">(train.shard(3 * host.rank()))(1, 2)));
    CHECK_THROWS_WITH_AS(train.shard(3 - 3 * host.rank()), doctest::Contains("this rank has the shards"),
                         input_error);
  });
  CHECK_THROWS_WITH_AS(in_process::run(7,
                                       [](in_process& host) {
                                         distribute::nccl world(host);
                                         parameters<reader> theta(seed{1});
                                         trainer<reader, loss, optimizers::sgd, batch<12>, shards<6>, there>(
                                             theta, world);
                                       }),
                       doctest::Contains("7 ranks, and shards<6> cuts a batch into 6"), input_error);
}
TEST_CASE("a communicator of the host alone is refused where its type is not known") {
  in_process::run(2, [](in_process& host) {
    distribute::any_communicator world(host);
    parameters<reader> theta(seed{1});
    trainer<reader, loss, optimizers::sgd, batch<12>, shards<6>, there> train(theta, world);
    feed(train, 0);
    CHECK_THROWS_WITH_AS(train.step(), doctest::Contains("distribute::nccl does"), input_error);
  });
}
TEST_CASE("a rank that fails ends the others") {
  std::vector<int> said(3);
  CHECK_THROWS_WITH_AS(
      in_process::run(3,
                      [&](in_process& host) {
                        distribute::nccl world(host, {.patience = 1});
                        parameters<reader> theta(seed{1});
                        trainer<reader, loss, optimizers::sgd, batch<12>, shards<6>, there> train(theta,
                                                                                                  world);
                        try {
                          for (int step = 0; step < 4; ++step) {
                            feed(train, step);
                            if (host.rank() == 1 && step == 2) throw data_error("the disk is gone");
                            train.step();
                          }
                        } catch (const distribute::nccl_error&) {
                          said[static_cast<std::size_t>(host.rank())] = 1;
                          throw;
                        } catch (const distribute::rank_lost&) {
                          said[static_cast<std::size_t>(host.rank())] = 1;
                          throw;
                        }
                      }),
      doctest::Contains("the disk is gone"), data_error);
  CHECK((said == std::vector<int>{1, 0, 1}));
}

// --- fit ---------------------------------------------------------------------------------------------------------

using deep =
    graph<"deep", input<"x", features<2>>,
          node<"logits", chain<linear<8>, activation::relu, dropout<0.5>, linear<2>>, "x">, output<"logits">>;
auto points(int count) {
  return data_set(column<"x">(count,
                              [](int r) {
                                return std::array{std::sin(double(r)), std::cos(3. * r)};
                              }),
                  column<"target">(count, [](int r) { return r % 2; }));
}
// The last parameters of a training that stops after `first` epochs, and is continued by another number of ranks.
std::string trained(int ranks_before, int ranks, int first) {
  using training =
      trainer<deep, losses::cross_entropy<"logits">, optimizers::adam, batch<8>, shards<4>, there, captured>;
  const temporary_folder folder;
  std::string all;
  const auto run = [&](int count, int epochs) {
    in_process::run(count, [&](in_process& host) {
      distribute::nccl world(host);
      parameters<deep> theta(seed{1});
      training train(theta, {.learning_rate = 0.05}, seed{7}, world);
      train.average_decay = 0.9;
      fit_options<training> options{.epochs = epochs, .shuffle = seed{5}};
      options.validate = points(9);
      options.metrics = {metric::accuracy{}};
      // Only the first rank's disk has the file.
      options.checkpoint =
          checkpoint{.path = host.rank() == 0 ? folder.path + "/run.ckpt" : "/no/such/run.ckpt", .steps = 1};
      const reports::history history = fit(train, points(37), options);
      if (host.rank() != 0) return;
      all.clear();
      for (const reports::epoch& e : history.epochs) {
        append(all, &e.loss, 1);
        append(all, &e.validation_loss, 1);
      }
      append(all, std::as_const(theta).data(), theta.block_size);
      append(all, train.averaged().data(), theta.block_size);
    });
  };
  if (first > 0) run(ranks_before, first);
  run(ranks, 3);
  return all;
}
TEST_CASE("each rank reads its own rows, and any number of ranks continues a training") {
  const std::string expected = trained(1, 1, 0);
  for (int ranks : {2, 3, 4}) {
    CAPTURE(ranks);
    CHECK((trained(1, ranks, 0) == expected));
    CHECK((trained(5 - ranks, ranks, 1) == expected));
  }
}
// A device without the functions that add blocks.
struct bare_device : backend::reference {};
void* allocate(bare_device, std::size_t);
void release(bare_device, void*);
void copy_in(bare_device, const void*, void*, std::size_t);
void copy_out(bare_device, const void*, void*, std::size_t);
TEST_CASE("a backend of one's own needs more than memory for shards") {
  static_assert(engine::JoinsShards<backend::thrust_device> && !engine::JoinsShards<bare_device>);
  using wrong =
      engine::unfit_shards<deep, losses::cross_entropy<"logits">, batch<8>, shards<2>, on<bare_device>>;
  CHECK(std::string(wrong::wrong.rule.view()) ==
        "shards<2> on a device adds blocks there, and this backend does not");
  CHECK(std::string(wrong::wrong.fix.view()) == "give it the functions of tenon/backend/thrust/shards.hpp");
}

// A text whose state goes from window to window.
using letters = graph<"letters", input<"letters", token<5>, steps<3>>, input<"h0", features<4>>,
                      node<"e", embedding<5, 3>, "letters">, node<"states", gru<4>, "e", "h0">,
                      node<"logits", linear<5>, "states">, output<"logits">, output<"states.h_n">>;
TEST_CASE("states go from window to window in the shards of each rank") {
  std::vector<int> text;
  for (int k = 0; k < 6 * 23; ++k) text.push_back(k * k % 5);
  const auto data = contiguous<"letters", "next", carry<"states.h_n", "h0">>(text);
  const auto losses_with = [&](int ranks) {
    std::string all;
    in_process::run(ranks, [&](in_process& host) {
      distribute::nccl world(host);
      parameters<letters> theta(seed{1});
      trainer<letters, losses::cross_entropy<"logits", "next">, optimizers::adam, batch<6>, shards<6>, there>
          train(theta, world);
      const reports::history history = fit(train, data, {.epochs = 2});
      if (host.rank() == 0)
        for (const reports::epoch& e : history.epochs) append(all, &e.loss, 1);
    });
    return all;
  };
  const std::string expected = losses_with(1);
  CHECK(!expected.empty());
  for (int ranks : {2, 3}) CHECK((losses_with(ranks) == expected));
}

}  // namespace tenon::test
