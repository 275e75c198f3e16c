// The training loop: every row once an epoch, in a new order each time; schedules, validation, early ends, lines, errors.
#include "tenon/train/loop/fit.hpp"

#include "tenon/data/data_set.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/metrics/metrics.hpp"
#include "tenon/train/schedules/plateau.hpp"
#include "tenon/train/trainer/shards.hpp"

#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace tenon::test {
using namespace nn;

using rows = std::vector<int>;

// Ten points of a plane in two classes.
using plane = graph<"plane", input<"x", features<2>>, node<"logits", linear<2>, "x">, output<"logits">>;
using deep =
    graph<"deep", input<"x", features<2>>,
          node<"logits", chain<linear<8>, activation::relu, dropout<0.5>, linear<2>>, "x">, output<"logits">>;
constexpr int points = 10;
std::array<float, 2> point(int r) {
  return {std::sin(static_cast<float>(r)), std::cos(static_cast<float>(3 * r))};
}
int class_of(int r) { return r % 2; }
auto data(int count = points) {
  return data_set(column<"x">(count, point), column<"target">(count, class_of));
}

// A test's own data set, which records the calls it gets.
struct recorder {
  std::vector<rows>* batches;
  int count = points;

  int size() const { return count; }
  void set_inputs(auto& session, std::span<const int> batch) const {
    data(std::max(count, 0)).set_inputs(session, batch);
    if (batches != nullptr) batches->emplace_back(batch.begin(), batch.end());
  }
};
template <int Batch, class Rule = optimizers::sgd>
using plane_trainer = trainer<plane, losses::cross_entropy<"logits">, Rule, batch<Batch>>;

template <class G>
std::vector<float> numbers(const parameters<G>& theta) {
  return {theta.data(), theta.data() + theta.block_size};
}

TEST_CASE("fit feeds every row once an epoch, in the shuffled order, in batches, the last one smaller") {
  parameters<plane> theta(seed{1});
  plane_trainer<4> t(theta);
  std::vector<rows> batches;
  fit(t, recorder{&batches}, {.epochs = 2, .shuffle = seed{9}});
  REQUIRE(batches.size() == 6);
  rows first;
  for (std::size_t epoch = 0; epoch < 2; ++epoch) {
    rows joined;
    for (std::size_t k = 0; k < 3; ++k) {
      const rows& part = batches[3 * epoch + k];
      CHECK(part.size() == (k < 2 ? 4 : 2));
      joined.insert(joined.end(), part.begin(), part.end());
    }
    CHECK(joined == shuffled(points, seed{9}, static_cast<int>(epoch) + 1));
    if (epoch == 0) first = joined;
    else CHECK(joined != first);
    std::sort(joined.begin(), joined.end());
    CHECK(joined == rows{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  }
  CHECK(t.steps() == 6);
  std::vector<rows> again, other;
  fit(t, recorder{&again}, {.epochs = 2, .shuffle = seed{9}});
  fit(t, recorder{&other}, {.epochs = 2, .shuffle = seed{10}});
  CHECK(again == batches);
  CHECK(other != batches);
}
struct of_lengths : recorder {
  int length(int row) const { return row * 7 % 10; }
};
TEST_CASE("rows of similar length run together where that is asked for") {
  parameters<plane> theta(seed{1});
  plane_trainer<4> t(theta);
  std::vector<rows> batches;
  fit(t, of_lengths{{&batches}}, {.epochs = 3, .shuffle = seed{9}, .batches = similar_length()});
  REQUIRE(batches.size() == 9);
  for (std::size_t k = 0; k < 9; ++k) {
    rows lengths;
    for (int r : batches[k]) lengths.push_back(r * 7 % 10);
    std::sort(lengths.begin(), lengths.end());
    const bool is_whole = lengths == rows{0, 1, 2, 3} || lengths == rows{4, 5, 6, 7} || lengths == rows{8, 9};
    CHECK(is_whole);
  }
}

// The same training, written out.
template <class Rate>
std::vector<double> train_by_hand(auto& t, int epochs, seed s, Rate rate) {
  std::vector<double> losses;
  int step = 0;
  for (int e = 1; e <= epochs; ++e) {
    const rows order = shuffled(points, s, e);
    double sum = 0;
    for (int from = 0; from < points; from += 4) {
      const int to = std::min(from + 4, points);
      std::vector<float> x;
      rows target;
      for (int k = from; k < to; ++k) {
        const int r = order[static_cast<std::size_t>(k)];
        x.push_back(point(r)[0]);
        x.push_back(point(r)[1]);
        target.push_back(class_of(r));
      }
      set_input<"x">(t, x);
      set_input<"target">(t, target);
      t.optimizer().learning_rate = rate(step++);
      sum += static_cast<double>(t.step()) * (to - from);
    }
    losses.push_back(sum / points);
  }
  return losses;
}
TEST_CASE("a schedule sets the rate before each step, and the history is that of the steps") {
  const auto rate = [](int step) { return 0.5 / (1 + step); };
  parameters<plane> by_fit(seed{1}), by_hand(seed{1});
  plane_trainer<4, optimizers::adam> t(by_fit), u(by_hand);
  const reports::history h =
      fit(t, data(), {.epochs = 3, .shuffle = seed{9}, .schedule = [&](const schedules::progress& p) {
                        return rate(static_cast<int>(p.step));
                      }});
  const std::vector<double> losses = train_by_hand(u, 3, seed{9}, rate);
  CHECK(numbers(by_fit) == numbers(by_hand));
  REQUIRE(h.epochs.size() == 3);
  for (int e = 0; e < 3; ++e) {
    const reports::epoch& report = h.epochs[static_cast<std::size_t>(e)];
    CHECK(report.epoch == e + 1);
    CHECK(report.loss == doctest::Approx(losses[static_cast<std::size_t>(e)]).epsilon(1e-12));
    CHECK(report.learning_rate == rate(3 * e + 2));
    CHECK(report.seconds > 0);
    CHECK(std::isnan(report.validation_loss));
  }
  CHECK(!h.is_validated());
}
TEST_CASE("without a schedule the rate stays") {
  parameters<plane> by_fit(seed{1}), by_hand(seed{1});
  plane_trainer<4> t(by_fit, {.learning_rate = 0.25}), u(by_hand);
  const reports::history h = fit(t, data(), {.epochs = 2});
  train_by_hand(u, 2, {}, [](int) { return 0.25; });
  CHECK(numbers(by_fit) == numbers(by_hand));
  CHECK(h.last().learning_rate == 0.25);
}
TEST_CASE("a schedule is told how far the training is") {
  parameters<plane> theta(seed{1});
  plane_trainer<4> t(theta, {.learning_rate = 0.125});
  std::vector<schedules::progress> seen;
  const reports::history h =
      fit(t, data(), {.epochs = 2, .validate = data(4), .schedule = [&](const schedules::progress& p) {
                        seen.push_back(p);
                        return 0.5 + static_cast<double>(p.step);
                      }});
  REQUIRE(seen.size() == 6);
  for (int k = 0; k < 6; ++k) {
    const schedules::progress& p = seen[static_cast<std::size_t>(k)];
    CHECK(p.step == k);
    CHECK(p.steps == 6);
    CHECK(p.epoch == k / 3);
    CHECK(p.epochs == 2);
    CHECK(p.starts_epoch == (k % 3 == 0));
    CHECK(p.learning_rate == (k == 0 ? 0.125 : k - 0.5));
    if (k < 3) CHECK(std::isinf(p.loss));
    else CHECK(p.loss == h.epochs[0].validation_loss);
  }
}
TEST_CASE("without a validation a schedule sees the loss of training") {
  parameters<plane> theta(seed{1});
  plane_trainer<4> t(theta);
  double last = 0;
  const reports::history h = fit(t, data(), {.epochs = 2, .schedule = [&](const schedules::progress& p) {
                                               last = p.loss;
                                               return 0.5;
                                             }});
  CHECK(last == h.epochs[0].loss);
}
TEST_CASE("options can be used again: what a schedule remembers ends with the training") {
  using trainer_type = plane_trainer<4>;
  const fit_options<trainer_type> options{
      // no epoch is better than the first
      .epochs = 4,
      .schedule = [plateau = schedules::reduce_on_plateau(8, {.factor = 0.5, .patience = 0})](
                      schedules::progress p) mutable {
        p.loss = 1;
        return plateau(p);
      }};
  for (int again = 0; again < 2; ++again) {
    parameters<plane> theta(seed{1});
    trainer_type t(theta);
    std::vector<double> seen;
    for (const reports::epoch& e : fit(t, data(), options).epochs) seen.push_back(e.learning_rate);
    CHECK(seen == std::vector<double>{8, 8, 4, 2});
  }
}

TEST_CASE("a report's loss is the mean over the rows, whatever the batches") {
  const auto loss_of = [](auto& t) {  // nothing is learned: the learning rate is 0
    const reports::history h = fit(t, data(), {.epochs = 2});
    REQUIRE(h.epochs.size() == 2);
    CHECK(h.epochs[0].loss == doctest::Approx(h.epochs[1].loss).epsilon(1e-6));
    return h.epochs[0].loss;
  };
  parameters<plane> theta(seed{1});
  plane_trainer<10> at_once(theta, {.learning_rate = 0});
  plane_trainer<4> in_parts(theta, {.learning_rate = 0});
  CHECK(loss_of(at_once) == doctest::Approx(loss_of(in_parts)).epsilon(1e-6));
}

TEST_CASE("loss and metrics of the validation are those of evaluate behind each epoch") {
  parameters<deep> theta(seed{1});
  trainer<deep, losses::cross_entropy<"logits">, optimizers::adam, batch<4>> t(theta,
                                                                               {.learning_rate = 0.05});
  const auto [train, held] = split(data(), 0.3, seed{2});
  std::vector<reports::evaluation> expected;
  const reports::history h =
      fit(t, train,
          {.epochs = 3,
           .validate = held,
           .metrics = {metric::perplexity{}, metric::accuracy{}},
           .after_epoch = [&](const reports::epoch& report) {
             expected.push_back(evaluate(t, held, {metric::perplexity{}, metric::accuracy{}}));
             CHECK(report.validation_loss == expected.back().loss);
           }});
  CHECK(h.metric_names == std::vector<std::string>{"perplexity", "accuracy"});
  REQUIRE(h.epochs.size() == 3);
  REQUIRE(expected.size() == 3);
  for (std::size_t e = 0; e < 3; ++e) {
    CHECK(h.epochs[e].validation_loss == expected[e].loss);
    CHECK(h.epochs[e].metrics == expected[e].metrics);
  }
  CHECK(expected[0].loss != expected[2].loss);
  CHECK(h.is_validated());
}
TEST_CASE("the validation may be data of another type") {
  parameters<plane> theta(seed{1});
  plane_trainer<4> t(theta);
  std::vector<rows> seen;
  const reports::history h = fit(t, data(), {.epochs = 1, .validate = recorder{&seen, 6}});
  CHECK(seen == std::vector<rows>{{0, 1, 2, 3}, {4, 5}});  // in their order
  CHECK(h.last().validation_loss == evaluate(t, data(6)).loss);
}
TEST_CASE("a validation does not change the training") {
  parameters<deep> alone(seed{1}), watched(seed{1});
  trainer<deep, losses::cross_entropy<"logits">, optimizers::adam, batch<4>> t(alone, {}, seed{3}),
      u(watched, {}, seed{3});
  fit(t, data(), {.epochs = 3});
  fit(u, data(), {.epochs = 3, .validate = data(6), .metrics = {metric::accuracy{}}});
  CHECK(numbers(alone) == numbers(watched));
}

// Descends with its learning rate; with one above 1 it climbs.
struct sgd_or_climb : optimizers::sgd {
  std::array<double, 3> constants(long) const {
    return {learning_rate > 1 ? 1 - learning_rate : learning_rate, momentum, weight_decay};
  }
};
// Learns for a number of epochs, then climbs.
schedules::schedule down_then_up(int epochs) {
  return [=](const schedules::progress& p) { return p.epoch < epochs ? 0.25 : 1.25; };
}
// The parameters after each epoch.
struct kept_parameters {
  std::vector<std::vector<float>> all{};
  reports::history h{};
  parameters<plane> theta{seed{1}};

  kept_parameters(const early_stopping& stop, const schedules::schedule& schedule,
                  bool with_validation = true) {
    plane_trainer<10, sgd_or_climb> t(theta);
    fit_options<plane_trainer<10, sgd_or_climb>> options{
        .epochs = 20, .schedule = schedule, .stop = stop, .after_epoch = [&](const reports::epoch&) {
          all.push_back(numbers(theta));
        }};
    if (with_validation) options.validate = data();
    h = fit(t, data(), options);
  }
};
TEST_CASE("early stopping ends where the validation no longer improves, with the best parameters") {
  const kept_parameters k({.patience = 4}, down_then_up(3));
  CHECK(k.h.epochs.size() == 7);
  CHECK(k.h.best_epoch == 3);
  CHECK(numbers(k.theta) == k.all[2]);
  CHECK(k.all[2] != k.all[6]);
  for (const reports::epoch& e : k.h.epochs) CHECK(k.h.best().validation_loss <= e.validation_loss);
}
TEST_CASE("the parameters are the last ones where the best are not asked for") {
  const kept_parameters k({.patience = 2, .restore_best = false}, down_then_up(3));
  CHECK(k.h.epochs.size() == 5);
  CHECK(k.h.best_epoch == 3);
  CHECK(numbers(k.theta) == k.all[4]);
}
TEST_CASE("without a validation the loss of training is watched, which is that before the steps") {
  const kept_parameters k({.patience = 2}, down_then_up(3), false);
  CHECK(k.h.best_epoch == 4);
  CHECK(k.h.epochs.size() == 6);
  CHECK(numbers(k.theta) == k.all[3]);
}
TEST_CASE("where a training fails, the best parameters and their average come back before the error") {
  for (const bool restores : {true, false}) {
    parameters<plane> theta(seed{1});
    plane_trainer<10, sgd_or_climb> t(theta);
    t.average_decay = 0.5;
    bool is_broken = false;
    const auto breaks =
        data_set(column<"x">(points,
                             [&](int r) {
                               return is_broken ? std::array<float, 2>{std::nanf(""), 0} : point(r);
                             }),
                 column<"target">(points, class_of));
    std::vector<float> best, average;
    CHECK_THROWS_AS(fit(t, breaks,
                        {.epochs = 20,
                         .validate = data(),
                         .schedule = down_then_up(3),
                         .stop = early_stopping{.patience = 20, .restore_best = restores},
                         .after_epoch =
                             [&](const reports::epoch& e) {
                               is_broken = e.epoch == 6;
                               if (e.epoch == 3) {
                                 best = numbers(theta);
                                 average = numbers(t.averaged());
                               }
                             }}),
                    training_error);
    CHECK(is_broken);
    CHECK((numbers(theta) == best) == restores);
    CHECK((numbers(t.averaged()) == average) == restores);
  }
}
// Its parameters cannot be written from some time on, as after a device has failed.
struct failing_trainer : plane_trainer<10, sgd_or_climb> {
  using plane_trainer<10, sgd_or_climb>::plane_trainer;
  bool has_failed = false;
  parameters<plane>& theta() {
    if (has_failed) throw std::runtime_error("the device is gone");
    return plane_trainer<10, sgd_or_climb>::theta();
  }
};
TEST_CASE("where the best parameters cannot come back, the error is that of the training") {
  parameters<plane> theta(seed{1});
  failing_trainer t(theta);
  CHECK_THROWS_WITH_AS(fit(t, data(),
                           {.epochs = 20,
                            .validate = data(),
                            .stop = early_stopping{.patience = 20},
                            .after_epoch =
                                [&](const reports::epoch& e) {
                                  if (e.epoch < 2) return;
                                  t.has_failed = true;
                                  throw std::logic_error("the first");
                                }}),
                       "the first", std::logic_error);
  CHECK(t.has_failed);
}
TEST_CASE("a rate that a schedule must not give is an error, and the rate stays as it was") {
  parameters<plane> theta(seed{1});
  plane_trainer<10> t(theta, {.learning_rate = 0.25});
  for (const double rate : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    CHECK_THROWS_AS(
        fit(t, data(),
            {.epochs = 2,
             .schedule = [=](const schedules::progress& p) { return p.step == 1 ? rate : 0.125; }}),
        input_error);
    CHECK(t.optimizer().learning_rate == 0.125);
  }
  CHECK(fit(t, data(), {}).last().learning_rate == 0.125);
}
TEST_CASE("what restores is the best epoch of the history, even by less than the least improvement") {
  const kept_parameters k({.patience = 3, .min_delta = 100}, down_then_up(3));
  CHECK(k.h.epochs.size() == 4);
  CHECK(k.h.best_epoch == 3);
  CHECK(numbers(k.theta) == k.all[2]);
}
TEST_CASE("views of the parameters stay valid where the best ones come back") {
  parameters<plane> theta(seed{1});
  plane_trainer<10, sgd_or_climb> t(theta);
  const auto weight = get<"logits.weight">(std::as_const(theta));
  const reports::history h = fit(
      t, data(),
      {.epochs = 20, .validate = data(), .schedule = down_then_up(3), .stop = early_stopping{.patience = 4}});
  CHECK(h.best_epoch < static_cast<int>(h.epochs.size()));
  CHECK(weight.data() == std::as_const(theta).data());
}
TEST_CASE("a training that goes on to improve is not stopped") {
  const kept_parameters k({.patience = 1}, down_then_up(20));
  CHECK(k.h.epochs.size() == 20);
  CHECK(k.h.best_epoch == 20);
  CHECK(numbers(k.theta) == k.all[19]);
}
// Returns the numbers it was constructed with, one for each epoch, for any session.
struct dictated {
  std::vector<double> values;
  bool lower_is_better = false;
  mutable std::size_t epoch = 0;
  std::string name() const { return "dictated"; }
  void reset() {}
  void add(const auto&) {}
  double value() const { return values[epoch++]; }
};
TEST_CASE("early stopping watches a metric where one is named, upwards or downwards as the metric says") {
  for (const bool highest : {true, false}) {
    parameters<plane> theta(seed{1});
    plane_trainer<10> t(theta);
    const double sign = highest ? 1 : -1;
    std::vector<std::vector<float>> all;
    const reports::history h = fit(
        t, data(),
        {.epochs = 9,
         .validate = data(),
         .metrics = {metric::accuracy{},
                     dictated{{sign * 1, sign * 3, sign * 2, sign * 3, sign * 2.5, 9, 9, 9, 9}, !highest}},
         .stop = early_stopping{.patience = 2, .metric = "dictated"},
         .after_epoch = [&](const reports::epoch&) { all.push_back(numbers(theta)); }});
    CHECK(h.epochs.size() == 4);
    CHECK(h.best_epoch == 2);
    CHECK(numbers(theta) == all[1]);
    CHECK(h.last().validation_loss < h.best().validation_loss);  // with the loss it would have continued
  }
}
TEST_CASE("the trainer goes on from the parameters that were restored") {
  kept_parameters k({.patience = 4}, down_then_up(3));
  plane_trainer<10> t(k.theta);
  const double loss = evaluate(t, data()).loss;
  CHECK(loss == k.h.best().validation_loss);
}

TEST_CASE("after_epoch ends the training by returning false; where it returns nothing, training goes on") {
  parameters<plane> theta(seed{1});
  plane_trainer<4> t(theta);
  std::vector<int> epochs;
  const reports::history h = fit(t, data(), {.epochs = 9, .after_epoch = [&](const reports::epoch& r) {
                                               epochs.push_back(r.epoch);
                                               return r.epoch < 3;
                                             }});
  CHECK(epochs == rows{1, 2, 3});
  CHECK(h.epochs.size() == 3);
  CHECK(t.steps() == 9);
  fit(t, data(), {.epochs = 2, .after_epoch = [&](const reports::epoch& r) { epochs.push_back(r.epoch); }});
  CHECK(epochs == rows{1, 2, 3, 1, 2});
  // The callback need not be copyable.
  fit(t, data(),
      {.epochs = 2, .after_epoch = [&, first = std::make_unique<int>(7)](const reports::epoch& r) mutable {
         epochs.push_back((*first)++ + r.epoch);
       }});
  CHECK(epochs == rows{1, 2, 3, 1, 2, 8, 10});
}

// The lines that a training prints.
std::vector<std::string> lines_of(auto&& train) {
  std::FILE* const file = std::tmpfile();
  REQUIRE(file != nullptr);
  train(file);
  std::rewind(file);
  std::vector<std::string> lines(1);
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) {
    if (c == '\n') lines.emplace_back();
    else lines.back() += static_cast<char>(c);
  }
  std::fclose(file);
  CHECK(lines.back().empty());
  lines.pop_back();
  return lines;
}
std::string shown(const char* format, double value) {
  char text[40];
  std::snprintf(text, sizeof text, format, value);
  return text;
}
TEST_CASE("each epoch writes a line with its rate, loss, validation and metrics") {
  parameters<plane> theta(seed{1});
  plane_trainer<4> t(theta, {.learning_rate = 0.002});
  reports::history h;
  const auto lines = lines_of([&](std::FILE* file) {
    h = fit(
        t, data(),
        {.epochs = 2, .validate = data(6), .metrics = {metric::accuracy{}}, .label = "round", .log = file});
  });
  REQUIRE(lines.size() == 2);
  for (std::size_t e = 0; e < 2; ++e) {
    const std::string begin = "round " + std::to_string(e + 1) + "/2  rate 0.002  loss " +
                              shown("%.4f", h.epochs[e].loss) + "  validation loss " +
                              shown("%.4f", h.epochs[e].validation_loss) + "  accuracy " +
                              shown("%.4f", h.epochs[e].metrics[0]) + "  ";
    const std::string seconds = shown("%.2f s", h.epochs[e].seconds);
    CHECK(lines[e] == begin + seconds + (e == 0 ? "  0 s left" : ""));
  }
}
TEST_CASE("a line says how long the epochs that are left take, where they take as long as those before") {
  parameters<plane> theta(seed{1});
  plane_trainer<4> t(theta);
  const tenon::detail::stopwatch watch;
  const auto lines = lines_of([&](std::FILE* file) {
    fit(t, data(),
        {.epochs = 1000,
         .stop = early_stopping{},
         .after_epoch =
             [](const reports::epoch& e) {
               std::this_thread::sleep_for(std::chrono::milliseconds(30));
               return e.epoch < 3;
             },
         .log = file});
  });
  const double all = watch.seconds();
  REQUIRE(lines.size() == 4);  // the last line names the best epoch
  long minutes = 0, left = 0;
  const std::string text = lines[2].substr(lines[2].rfind(" s  ") + 4);
  if (std::sscanf(text.c_str(), "%ld min %ld s left", &minutes, &left) != 2) {
    minutes = 0;
    CHECK(std::sscanf(text.c_str(), "%ld s left", &left) == 1);
  }
  left += 60 * minutes;
  CHECK(left >= 19);  // 997 epochs of at least 20 ms: two waits in three epochs
  CHECK(static_cast<double>(left) <= all / 3 * 997 + 1);
}
TEST_CASE("without a validation a line has none, and without a log nothing is written") {
  parameters<plane> theta(seed{1});
  plane_trainer<4> t(theta);
  const auto lines = lines_of([&](std::FILE* file) { fit(t, data(), {.log = file}); });
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].starts_with("epoch 1/1  rate "));
  CHECK(lines[0].find("validation") == std::string::npos);
  CHECK(lines_of([&](std::FILE*) { fit(t, data(), {.log = nullptr}); }).empty());
}

TEST_CASE("the last line says which parameters early stopping has kept") {
  parameters<plane> theta(seed{1});
  plane_trainer<4> t(theta, {.learning_rate = 0.002});
  reports::history h;
  const auto with = [&](early_stopping stop) {
    return lines_of([&](std::FILE* file) {
      h = fit(t, data(), {.epochs = 3, .validate = data(6), .stop = stop, .label = "round", .log = file});
    });
  };
  const auto lines = with({});
  REQUIRE(lines.size() == h.epochs.size() + 1);
  CHECK(lines.back() == "round " + std::to_string(h.best_epoch) + "/3 was the best: its parameters are kept");
  CHECK(with({.restore_best = false}).size() == h.epochs.size());
}

TEST_CASE("the same seeds give the same bits, in a second training too, with any number of threads") {
  const auto train = []<class Trainer, class... Threads>(std::type_identity<Trainer>, Threads... given) {
    parameters<deep> theta(seed{1});
    Trainer t(theta, {.learning_rate = 0.01}, seed{7}, given...);
    const auto [rest, held] = split(data(), 0.2, seed{4});
    for (int again = 0; again < 2; ++again)
      fit(t, rest,
          {.epochs = 3,
           .shuffle = seed{5},
           .batches = similar_length(),
           .validate = held,
           .schedule = schedules::cosine(0.01)});
    return numbers(theta);
  };
  using whole = trainer<deep, losses::cross_entropy<"logits">, optimizers::adam, batch<4>>;
  using cut = trainer<deep, losses::cross_entropy<"logits">, optimizers::adam, batch<4>, shards<2>>;
  CHECK(train(std::type_identity<whole>{}) == train(std::type_identity<whole>{}));
  const auto one = train(std::type_identity<cut>{}, threads{1});
  CHECK(one == train(std::type_identity<cut>{}, threads{1}));
  CHECK(one == train(std::type_identity<cut>{}, threads{2}));
}

// w <- w - 0.1 g, without any number to set.
struct fixed_rate {
  static constexpr int states = 0;
  static constexpr auto update(auto w, auto g, auto rate) { return next(w - rate * g); }
  std::array<double, 1> constants(long) const { return {0.1}; }
};
TEST_CASE("a rule without a learning rate trains, and has none in the history") {
  parameters<plane> theta(seed{1}), same(seed{1});
  trainer<plane, losses::cross_entropy<"logits">, fixed_rate, batch<4>> t(theta);
  plane_trainer<4> u(same, {.learning_rate = 0.1});
  CHECK(fit(t, data(), {.epochs = 2}).last().learning_rate == 0);
  fit(u, data(), {.epochs = 2});
  CHECK(numbers(theta) == numbers(same));
}

TEST_CASE("what does not go together is an error, and nothing is trained") {
  parameters<plane> theta(seed{1});
  const std::vector<float> before = numbers(theta);
  plane_trainer<4> t(theta);
  trainer<plane, losses::cross_entropy<"logits">, fixed_rate, batch<4>> fixed(theta);
  const auto refused = [](auto call, const char* message) {
    CHECK_THROWS_WITH_AS(call(), message, input_error);
  };
  refused([&] { fit(t, recorder{nullptr, 0}); }, "fit: the data set is empty");
  refused([&] { fit(t, recorder{nullptr, -1}); }, "fit: the data set is empty");
  refused([&] { fit(t, data(), {.epochs = -1}); }, "fit: expected at least 0 epochs, got -1");
  refused([&] { fit(t, data(), {.metrics = {metric::accuracy{}}}); },
          "fit: metrics are of a validation; add .validate = held_out");
  refused([&] { fit(fixed, data(), {.schedule = schedules::constant(0.1)}); },
          "fit: the update rule has no learning_rate for a schedule to set");
  refused([&] { fit(t, data(), {.stop = early_stopping{.patience = 0}}); },
          "early_stopping: expected a patience of at least 1, got 0");
  refused([&] { fit(t, data(), {.stop = early_stopping{.metric = "accuracy"}}); },
          "early_stopping: no metric is named 'accuracy'; add .metrics = {..} to the options of fit");
  refused(
      [&] {
        fit(t, data(),
            {.validate = data(),
             .metrics = {metric::accuracy{}, metric::macro_f1{}},
             .stop = early_stopping{.metric = "f1"}});
      },
      "early_stopping: no metric is named 'f1'; the metrics are 'accuracy', 'macro F1'");
  t.average_decay = 0.5;
  refused([&] { fit(t, data(), {.validate_average = true}); },
          "fit: validate_average: there is no validation; add .validate = held_out");
  CHECK(numbers(theta) == before);
}
TEST_CASE("a validation without rows is an error before the first step") {
  parameters<plane> theta(seed{1});
  plane_trainer<4> t(theta);
  CHECK_THROWS_WITH_AS(fit(t, data(), {.validate = data(0)}),
                       "the data set to evaluate, or to validate with, is empty", input_error);
  CHECK_THROWS_WITH_AS(fit(t, data(), {.validate = recorder{nullptr, 0}}),
                       "the data set to evaluate, or to validate with, is empty", input_error);
  CHECK(t.steps() == 0);
}
// A callback for two metrics.
struct of_two_metrics {
  int* calls;
  void check_metrics(std::size_t count) const {
    if (count != 2) throw input_error("two metrics are needed");
  }
  bool operator()(const reports::epoch&) const { return ++*calls < 2; }
};
TEST_CASE("a callback is asked before the first step whether it fits the metrics") {
  parameters<plane> theta(seed{1});
  plane_trainer<4> t(theta);
  int calls = 0;
  CHECK_THROWS_WITH_AS(
      fit(t, data(),
          {.validate = data(), .metrics = {metric::accuracy{}}, .after_epoch = of_two_metrics{&calls}}),
      "two metrics are needed", input_error);
  CHECK((t.steps() == 0 && calls == 0));
  const auto history = fit(t, data(),
                           {.epochs = 9,
                            .validate = data(),
                            .metrics = {metric::accuracy{}, metric::macro_f1{}},
                            .after_epoch = of_two_metrics{&calls}});
  CHECK((history.epochs.size() == 2 && calls == 2));
}
TEST_CASE("a function that is empty is not called: there is no callback, and the rate stays") {
  parameters<plane> theta(seed{1}), same(seed{1});
  plane_trainer<4> t(theta), u(same);
  const std::function<void(const reports::epoch&)> no_report;
  const std::function<bool(const reports::epoch&)> no_answer;
  const std::function<double(const schedules::progress&)> no_rate;
  double (*const null)(const schedules::progress&) = nullptr;
  fit(t, data(), {.schedule = no_rate, .after_epoch = no_report});
  fit(t, data(), {.schedule = null, .after_epoch = no_answer});
  fit(u, data());
  fit(u, data());
  CHECK(numbers(theta) == numbers(same));
  CHECK_THROWS_WITH_AS(schedules::warm_up(3, no_rate),
                       "warm_up: expected a schedule to climb to, got an empty one", input_error);
}
TEST_CASE("no epochs are none") {
  parameters<plane> theta(seed{1});
  const std::vector<float> before = numbers(theta);
  plane_trainer<4> t(theta);
  const reports::history h = fit(t, data(), {.epochs = 0});
  CHECK(h.epochs.empty());
  CHECK(h.best_epoch == 0);
  CHECK(t.steps() == 0);
  CHECK(numbers(theta) == before);
}

// --- refused calls are false in a `requires` ----------------------------------------------------------------
template <class Trainer, class Data>
concept Fits = requires(Trainer& t, const Data& d) {
  fit(t, d);
};
template <class Trainer, class Data>
concept FitsWithOptions = requires(Trainer& t, const Data& d) {
  fit(t, d, {.epochs = 3});
};
template <class Trainer, class Data>
concept FitsMisspelt = requires(Trainer& t, const Data& d) {
  fit(t, d, {.epoch = 3});
};
template <class Trainer, class Data>
concept FitsANumber = requires(Trainer& t, const Data& d) {
  fit(t, d, 3);
};
template <class Trainer, class Data>
concept Judges = requires(Trainer& t, const Data& d) {
  evaluate(t, d);
};
using trained = plane_trainer<4>;
using whole = decltype(data());
using without_target = decltype(data_set(column<"x">(points, point)));
static_assert(Fits<trained, whole> && FitsWithOptions<trained, whole> && Judges<trained, whole>);
static_assert(!Fits<trained, int> && !Fits<trained, without_target> &&
              !FitsWithOptions<trained, without_target>);
static_assert(!Fits<inference<plane>, whole> && !Fits<parameters<plane>, whole> &&
              !FitsWithOptions<inference<plane>, whole>);
static_assert(!FitsMisspelt<trained, whole> && !FitsANumber<trained, whole>);
static_assert(!Judges<inference<plane>, whole> && !Judges<trained, int> && !Judges<trained, without_target>);

}  // namespace tenon::test
