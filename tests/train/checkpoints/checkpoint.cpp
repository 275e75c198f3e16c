// Checkpoints: a training that is stopped and continued gives the same bits as one that was not; the file is complete at any time;
// a checkpoint of another training is refused, and changes nothing.
#include "tenon/train/checkpoints/checkpoint.hpp"

#include "support/temporary_file.hpp"
#include "tenon/data/data_set.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/metrics/metrics.hpp"
#include "tenon/train/schedules/plateau.hpp"
#include "tenon/train/trainer/shards.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon::test {
using namespace nn;

using deep =
    graph<"deep", input<"x", features<2>>,
          node<"logits", chain<linear<8>, activation::relu, dropout<0.5>, linear<2>>, "x">, output<"logits">>;
using wider = graph<"deep", input<"x", features<2>>,
                    node<"logits", chain<linear<16>, activation::relu, dropout<0.5>, linear<2>>, "x">,
                    output<"logits">>;
using other = graph<"other", input<"x", features<2>>, node<"logits", linear<2>, "x">, output<"logits">>;
auto data(int count = 20) {
  return data_set(column<"x">(count,
                              [](int r) {
                                return std::array{std::sin(float(r)), std::cos(float(3 * r))};
                              }),
                  column<"target">(count, [](int r) { return r % 2; }));
}
template <class Rule, class... Options>
using training = trainer<deep, losses::cross_entropy<"logits">, Rule, batch<4>, Options...>;

// A file in its own folder, which is removed after the test.
struct file_of_test {
  temporary_folder folder;
  std::string path = folder.path + "/run.ckpt";
};

struct stopped {};
struct result {
  std::vector<float> theta, average;
  std::vector<double> losses, rates;
  int best = 0;
  bool operator==(const result&) const = default;
};
template <class Trainer, class... Threads>
struct run {
  parameters<deep> theta{seed{1}};
  Trainer t;
  explicit run(Threads... given) : t(theta, {.learning_rate = 0.05}, seed{7}, given...) {
    t.average_decay = 0.9;
    t.max_norm = 1;
    t.groups({{"*.bias", {.rate_factor = 0.5}}});
  }
  // Ends after a number of epochs, or after a number of steps, like a program that is killed from outside.
  result train(int epochs, std::optional<checkpoint> where, int stop_after = 99, long stop_at = 0) {
    fit_options<Trainer> options{
        .epochs = epochs,
        .shuffle = seed{5},
        .batches = similar_length(2),
        .validate = data(6),
        .metrics = {metric::accuracy{}},
        .validate_average = true,
        .schedule = schedules::warm_up(7, schedules::reduce_on_plateau(0.05, {.factor = 0.5, .patience = 0})),
        .stop = early_stopping{.patience = 40}};
    if (where) options.checkpoint = *where;
    options.after_epoch = [&](const reports::epoch& e) {
      if (e.epoch == stop_after) throw stopped{};
    };
    schedules::schedule inner = options.schedule;
    if (stop_at > 0) options.schedule = guard{inner, stop_at};
    result r;
    try {
      const reports::history h = fit(t, data(), options);
      for (const reports::epoch& e : h.epochs) {
        r.losses.insert(r.losses.end(), {e.loss, e.validation_loss, e.metrics[0]});
        r.rates.push_back(e.learning_rate);
      }
      r.best = h.best_epoch;
    } catch (const stopped&) {}
    r.theta.assign(std::as_const(theta).data(), std::as_const(theta).data() + theta.block_size);
    const parameters<deep> average = t.averaged();
    r.average.assign(average.data(), average.data() + theta.block_size);
    return r;
  }
  struct guard {
    schedules::schedule inner;
    long at;
    double operator()(const schedules::progress& p) {
      if (p.step == at) throw stopped{};
      return inner(p);
    }
    std::vector<double> state() const { return inner.state(); }
    void restore(const std::vector<double>& numbers) { inner.restore(numbers); }
  };
};

template <class Run, class... Threads>
void check_resumed(Threads... given) {
  const result expected = Run(given...).train(6, {});
  CHECK(expected.losses.size() == 18);
  for (int stopped : {1, 3, 5}) {
    const file_of_test file;
    Run(given...).train(6, checkpoint{file.path}, stopped);  // epoch `stopped` itself is lost
    CHECK(std::filesystem::exists(file.path) == (stopped > 1));
    CHECK(Run(given...).train(6, checkpoint{file.path}) == expected);
    CHECK(Run(given...).train(6, checkpoint{file.path}) == expected);  // from the end
  }
  for (long stopped : {1, 4, 9, 17, 29}) {
    const file_of_test file;
    Run(given...).train(6, checkpoint{.path = file.path, .every = 4, .steps = 2}, 99, stopped);
    CHECK(std::filesystem::exists(file.path) == (stopped > 1));
    CHECK(Run(given...).train(6, checkpoint{file.path}) == expected);
  }
}
TEST_CASE("a training that goes on has the bits of one that was not stopped") {
  check_resumed<run<training<optimizers::adam>>>();
}
TEST_CASE("so it does with shards, whatever the number of threads is then") {
  using cut = run<training<optimizers::adagrad, shards<2>>, threads>;
  check_resumed<cut>(threads{1});
  const result expected = cut(threads{1}).train(6, {});
  const file_of_test file;
  cut(threads{2}).train(6, checkpoint{file.path}, 4);
  CHECK(cut(threads{1}).train(6, checkpoint{file.path}) == expected);
}

TEST_CASE("the last epoch is saved, whichever it is") {
  const result expected = run<training<optimizers::adam>>().train(5, {});
  for (int every : {1, 2, 3, 7}) {
    const file_of_test file;
    run<training<optimizers::adam>>().train(5, checkpoint{.path = file.path, .every = every});
    REQUIRE(std::filesystem::exists(file.path));
    const io::safetensors_file saved(file.path);
    double progress[2];
    io::read_numbers(saved.at("training.progress"), 0, 2, progress);
    CHECK(progress[1] == 5);
    CHECK(run<training<optimizers::adam>>().train(5, checkpoint{file.path}, 4) ==
          expected);  // no epoch is run again
  }
}

template <class Trainer>
using theta_of = std::remove_reference_t<decltype(std::declval<Trainer&>().theta())>;
template <class F>
std::string refusal(F f) {
  try {
    f();
  } catch (const data_error& error) { return error.what(); }
  return "no error";
}
TEST_CASE("a checkpoint of another training is refused by name, and nothing is changed") {
  const file_of_test file;
  using mine = training<optimizers::adam>;
  const auto start = [&]<class Trainer>(std::type_identity<Trainer>, auto configure, auto rows,
                                        seed shuffle) {
    theta_of<Trainer> theta(seed{1});
    const theta_of<Trainer> before = theta;
    Trainer t(theta, {}, seed{2});
    configure(t);
    const std::string said = refusal(
        [&] { fit(t, rows, {.epochs = 2, .shuffle = shuffle, .checkpoint = checkpoint{file.path}}); });
    if (said != "no error") {
      CHECK(std::equal(before.data(), before.data() + before.block_size, std::as_const(theta).data()));
      CHECK(t.steps() == 0);
    }
    return said.substr(std::min(said.size(), said.find(file.path) == 0 ? file.path.size() : 0));
  };
  const auto nothing = [](auto&) {};
  const std::string remedy = "'; give another path, or remove the file";
  const std::string of_another = ": is a checkpoint of another training: its ";
  CHECK(start(std::type_identity<mine>{}, nothing, data(), seed{}) == "no error");
  CHECK(start(std::type_identity<training<optimizers::sgd>>{}, nothing, data(), seed{}) ==
        of_another + "update rule is 'optimizers::adam', here it is 'optimizers::sgd" + remedy);
  CHECK(
      start(std::type_identity<trainer<other, losses::cross_entropy<"logits">, optimizers::adam, batch<4>>>{},
            nothing, data(), seed{}) == of_another + "graph is 'deep', here it is 'other" + remedy);
  CHECK(
      start(std::type_identity<trainer<wider, losses::cross_entropy<"logits">, optimizers::adam, batch<4>>>{},
            nothing, data(), seed{}) ==
      ": is a checkpoint of another training: of its parameters the first that differs is "
      "'logits.0.weight [8, 2]', here it is 'logits.0.weight [16, 2]', and 2 more differ; give another path, "
      "or remove the file");
  CHECK(start(std::type_identity<mine>{}, nothing, data(19), seed{}) ==
        of_another + "rows of data is '20', here it is '19" + remedy);
  CHECK(start(std::type_identity<mine>{}, nothing, data(), seed{9}) ==
        of_another + "seed of shuffle is '0', here it is '9" + remedy);
  CHECK(start(
            std::type_identity<mine>{},
            [](auto& t) {
              t.groups({{"*.bias", {.frozen = true}}});
            },
            data(), seed{}) == of_another + "groups is '', here it is ''*.bias' frozen; " + remedy);
  CHECK(start(
            std::type_identity<mine>{}, [](auto& t) { t.accumulate = 2; }, data(), seed{}) ==
        of_another + "accumulate is '1', here it is '2" + remedy);
  const auto slowly = [](double rate) {
    return [=](auto& t) { t.groups({{"*.bias", {.learning_rate = rate}}}); };
  };
  std::remove(file.path.c_str());
  CHECK(start(std::type_identity<mine>{}, slowly(1e-8), data(), seed{}) == "no error");
  CHECK(start(std::type_identity<mine>{}, slowly(2e-8), data(), seed{}) ==
        of_another +
            "groups is ''*.bias' learning_rate 1e-08; ', here it is ''*.bias' learning_rate 2e-08; " +
            remedy);
  const auto limited = [](double most) { return [=](auto& t) { t.groups({{"*", {.max_norm = most}}}); }; };
  std::remove(file.path.c_str());
  CHECK(start(std::type_identity<mine>{}, limited(1), data(), seed{}) == "no error");
  CHECK(start(std::type_identity<mine>{}, limited(2), data(), seed{}) ==
        of_another + "groups is ''*' max_norm 1; ', here it is ''*' max_norm 2; " + remedy);
}

// Nothing is learned, so the first epoch is the best, and after three more the patience is at its end.
TEST_CASE("early stopping goes on to count the epochs without improvement") {
  const auto epochs_of = [](std::optional<checkpoint> where, int stop_after) {
    parameters<other> theta(seed{1});
    trainer<other, losses::cross_entropy<"logits">, optimizers::sgd, batch<4>> t(theta, {.learning_rate = 0});
    fit_options<decltype(t)> options{.epochs = 20, .stop = early_stopping{.patience = 3, .min_delta = 0.1}};
    if (where) options.checkpoint = *where;
    options.after_epoch = [&](const reports::epoch& e) {
      if (e.epoch == stop_after) throw stopped{};
    };
    return fit(t, data(), options).epochs.size();
  };
  CHECK(epochs_of({}, 99) == 4);
  for (const int at : {2, 3, 4}) {
    const file_of_test file;
    CHECK_THROWS_AS(epochs_of(checkpoint{file.path}, at), stopped);
    CHECK(epochs_of(checkpoint{file.path}, 99) == 4);
  }
}

TEST_CASE("files that are no checkpoint, or hold a number that is not finite, are refused") {
  const file_of_test file;
  parameters<deep> theta(seed{1});
  training<optimizers::adam> t(theta);
  io::save_checkpoint(t, file.path);
  io::load_checkpoint(t, file.path);
  // the same tensors, one number changed
  const auto rewrite = [&](const char* name, double value, auto metadata) {
    const io::safetensors_file old(file.path);
    std::vector<std::vector<float>> numbers;
    std::vector<io::named_tensor> tensors = old.tensors();
    numbers.reserve(tensors.size());
    for (io::named_tensor& tensor : tensors)
      if (tensor.name == name) {
        numbers.emplace_back(tensor.size());
        read_numbers(tensor, 0, tensor.size(), numbers.back().data());
        numbers.back()[3] = static_cast<float>(value);
        tensor.data = numbers.back().data();
      }
    auto all = old.metadata();
    metadata(all);
    io::write_safetensors(file.path + ".changed", tensors, all);
  };
  const std::string changed = file.path + ".changed";
  const auto same = [](auto&) {};
  const parameters<deep> before = theta;
  const auto check = [&](const std::string& message) {
    CHECK(refusal([&] { io::load_checkpoint(t, changed); }) == changed + message);
    CHECK(std::equal(before.data(), before.data() + before.block_size, std::as_const(theta).data()));
  };
  rewrite("parameters", std::numeric_limits<double>::quiet_NaN(), same);
  check(": tensor 'parameters' has a number that is not finite");
  rewrite("parameters", std::numeric_limits<double>::infinity(), same);
  check(": tensor 'parameters' has a number that is not finite");
  rewrite("optimizer", std::numeric_limits<double>::quiet_NaN(), same);
  check(": tensor 'optimizer' has a number that is not finite");
  rewrite("optimizer", std::numeric_limits<double>::infinity(), same);  // an average of squares may be
  CHECK_NOTHROW(io::load_checkpoint(t, changed));
  io::load_checkpoint(t, file.path);
  rewrite("", 0, [](auto& all) { all.erase("checkpoint"); });
  check(": is not a checkpoint of a training");
  rewrite("", 0, [](auto& all) { all["checkpoint"] = "7"; });
  check(
      ": is a checkpoint of another training: its checkpoint is '7', here it is '1'; give another path, or "
      "remove the file");
  std::remove(changed.c_str());

  get<"logits.0.bias">(theta)(1) = std::numeric_limits<float>::quiet_NaN();
  CHECK_THROWS_WITH_AS(io::save_checkpoint(t, file.path),
                       (file.path + ": not written: 'parameters' has a number that is not finite").c_str(),
                       training_error);
  io::load_checkpoint(t, file.path);  // the file is the last good one
  CHECK(std::isfinite(get<"logits.0.bias">(theta)(1)));
  CHECK_THROWS_AS(fit(t, data(), {.checkpoint = checkpoint{.path = file.path, .every = 0}}), input_error);
  const long steps = t.steps();
  CHECK_THROWS_WITH_AS(fit(t, data(), {.checkpoint = checkpoint{}}),
                       "checkpoint: the path is empty; write checkpoint{\"run.ckpt\"}", input_error);
  CHECK(t.steps() == steps);
}
// An optimizer with a number that is infinite, and that no update uses.
struct unbounded {
  static constexpr int states = 0;
  double rate = 0.1, bound = std::numeric_limits<double>::infinity();
  static constexpr auto update(auto w, auto g, auto rate) { return next(w - rate * g); }
  std::array<double, 1> constants(long) const { return {std::min(rate, bound)}; }
};
TEST_CASE("a rule that could not be read again is refused before the first step") {
  const file_of_test file;
  parameters<deep> theta(seed{1});
  training<unbounded> t(theta);
  CHECK_THROWS_WITH_AS(fit(t, data(), {.checkpoint = checkpoint{file.path}}),
                       "checkpoint: update rule 'test::unbounded' has a number that is not finite, so "
                       "training could not continue from the file",
                       input_error);
  CHECK(t.steps() == 0);
}
TEST_CASE("what else must match is in the file, and is refused where it is another") {
  const file_of_test file;
  const auto train = [&](const decltype(checkpoint::must_match)& must_match) {
    parameters<deep> theta(seed{1});
    training<optimizers::adam> t(theta, {}, seed{2});
    fit(t, data(), {.epochs = 1, .checkpoint = checkpoint{.path = file.path, .must_match = must_match}});
  };
  CHECK_THROWS_WITH_AS(
      train({{"graph", "mine"}}),
      "checkpoint: must_match: 'graph' is a name that checkpoints use themselves; take another", input_error);
  CHECK_THROWS_WITH_AS(train({{"words", "\xff"}}),
                       (file.path + ": '\xff' is not UTF-8, which a safetensors file asks for").c_str(),
                       input_error);
  CHECK(!std::filesystem::exists(file.path));  // at once, not after an epoch
  train({{"words", "a b"}});
  CHECK(io::safetensors_file(file.path).metadata().at("words") == "a b");
  train({{"words", "a b"}});
  CHECK(refusal([&] {
          train({{"words", "a c"}});
        }) ==
        file.path +
            ": is a checkpoint of another training: its words is 'a b', here it is 'a c'; give another path, "
            "or remove the file");
  parameters<deep> theta(seed{3});
  training<optimizers::adam> t(theta, {}, seed{2});
  io::load_checkpoint(t, file.path);  // the trainer's part
  CHECK(t.steps() == 5);
}

TEST_CASE(
    "a program that is killed at any moment leaves a checkpoint that loads, and goes on to the same end") {
  using mine = run<training<optimizers::adam>>;
  const result expected = mine().train(6, {});
  const file_of_test file;
  unsigned random = 12345;
  int killed = 0;
  for (int attempt = 0; attempt < 60; ++attempt) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      mine().train(6, checkpoint{.path = file.path, .steps = 1});
      ::_exit(0);
    }
    random = random * 1664525u + 1013904223u;
    ::usleep(random % 16000);
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    killed += WIFSIGNALED(status);
    if (std::filesystem::exists(file.path)) {
      mine check;
      io::load_checkpoint(check.t, file.path);  // whole
    }
    if (attempt % 20 != 19) continue;
    CHECK(mine().train(6, checkpoint{file.path}) == expected);
    std::remove(file.path.c_str());
  }
  CHECK(killed > 5);
}

}  // namespace tenon::test
