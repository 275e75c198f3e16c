// The training loop: every row once an epoch, in an order of its own; reports, early ends, errors.
#include "tenon/train/fit.hpp"

#include "support/compare.hpp"
#include "support/machines.hpp"
#include "tenon/nn/nn.hpp"

#include <map>
#include <set>

namespace tenon::test {

using rows = std::vector<int>;

TEST_CASE("an epoch's order is a permutation; seed and epoch decide it") {
  const rows order = shuffled(100, seed{7}, 1);
  CHECK(std::set<int>(order.begin(), order.end()).size() == 100);
  CHECK(*std::min_element(order.begin(), order.end()) == 0);
  CHECK(*std::max_element(order.begin(), order.end()) == 99);
  CHECK(order == shuffled(100, seed{7}, 1));
  CHECK(order != shuffled(100, seed{7}, 2));
  CHECK(order != shuffled(100, seed{8}, 1));
  CHECK(shuffled(0, {}, 1).empty());
  CHECK(shuffled(1, {}, 1) == rows{0});
}

TEST_CASE("every order of three rows is as likely as any other") {
  std::map<rows, int> seen;
  for (int epoch = 0; epoch < 6000; ++epoch) ++seen[shuffled(3, seed{1}, epoch)];
  CHECK(seen.size() == 6);
  for (const auto& [order, times] : seen) CHECK(std::abs(times - 1000) < 150);  // five standard deviations
}

TEST_CASE("for_each_batch gives consecutive batches, the last one smaller") {
  const rows all{5, 3, 1, 4, 2};
  std::vector<rows> seen;
  const auto keep = [&](std::span<const int> batch) { seen.emplace_back(batch.begin(), batch.end()); };
  for_each_batch(all, 2, keep);
  CHECK(seen == std::vector<rows>{{5, 3}, {1, 4}, {2}});
  seen.clear();
  for_each_batch(all, 5, keep);
  CHECK(seen == std::vector<rows>{all});
  seen.clear();
  for_each_batch(std::span<const int>(), 5, keep);
  CHECK(seen.empty());
  CHECK_THROWS_WITH_AS(for_each_batch(all, 0, keep),
                       "for_each_batch: a batch needs a positive number of rows, got 0", input_error);
}

// Ten points of a plane in two classes.
using plane = graph<"plane", input<"x", features<2>>, node<"logits", linear<2>, "x">, output<"logits">>;
constexpr int points = 10;
struct plane_feed {
  std::vector<rows>* batches = nullptr;

  void operator()(auto& session, std::span<const int> batch) const {
    std::vector<float> x;
    rows target;
    for (int r : batch) {
      x.push_back(std::sin(static_cast<float>(r))), x.push_back(std::cos(static_cast<float>(3 * r)));
      target.push_back(r % 2);
    }
    session.template input<"x">(x);
    session.template input<"target">(target);
    if (batches != nullptr) batches->emplace_back(batch.begin(), batch.end());
  }
};
template <int Batch>
using plane_trainer = trainer<plane, cross_entropy<"logits">, sgd, batch<Batch>>;

TEST_CASE("fit feeds every row once an epoch, in the shuffled order, in batches") {
  parameters<plane> theta(seed{1});
  plane_trainer<4> t(theta);
  std::vector<rows> batches;
  fit(t, points, plane_feed{&batches}, {.epochs = 2, .shuffle = seed{9}});
  REQUIRE(batches.size() == 6);
  for (std::size_t epoch = 0; epoch < 2; ++epoch) {
    rows joined;
    for (std::size_t k = 0; k < 3; ++k) {
      const rows& part = batches[3 * epoch + k];
      CHECK(part.size() == (k < 2 ? 4 : 2));
      joined.insert(joined.end(), part.begin(), part.end());
    }
    CHECK(joined == shuffled(points, seed{9}, static_cast<int>(epoch) + 1));
  }
  CHECK(t.steps() == 6);
}

TEST_CASE("a report's loss is the mean over the rows, whatever the batches") {
  const auto loss_of = [](auto& t) {  // nothing is learned: the rate is 0
    std::vector<epoch_report> reports;
    fit(t, points, plane_feed{}, {.epochs = 2}, [&](const epoch_report& r) { reports.push_back(r); });
    REQUIRE(reports.size() == 2);
    for (int k = 0; k < 2; ++k) {
      CHECK(reports[static_cast<std::size_t>(k)].epoch == k + 1);
      CHECK(reports[static_cast<std::size_t>(k)].seconds > 0);
    }
    CHECK(reports[0].loss == doctest::Approx(reports[1].loss).epsilon(1e-6));
    return reports[0].loss;
  };
  parameters<plane> theta(seed{1});
  plane_trainer<10> at_once(theta, {.rate = 0});
  plane_trainer<4> in_parts(theta, {.rate = 0});
  CHECK(loss_of(at_once) == doctest::Approx(loss_of(in_parts)).epsilon(1e-6));
}

TEST_CASE("after_epoch ends the training by returning false") {
  parameters<plane> theta(seed{1});
  plane_trainer<4> t(theta);
  int epochs = 0;
  fit(t, points, plane_feed{}, {.epochs = 9}, [&](const epoch_report& r) {
    epochs = r.epoch;
    return r.epoch < 3;
  });
  CHECK(epochs == 3);
  CHECK(t.steps() == 9);
}

TEST_CASE("nothing to train on is an error; no epochs are none") {
  parameters<plane> theta(seed{1});
  plane_trainer<4> t(theta);
  CHECK_THROWS_WITH_AS(fit(t, 0, plane_feed{}), "fit: the data set is empty", input_error);
  CHECK_THROWS_AS(fit(t, -1, plane_feed{}), input_error);
  fit(t, points, plane_feed{}, {.epochs = 0});
  CHECK(t.steps() == 0);
}

}  // namespace tenon::test
