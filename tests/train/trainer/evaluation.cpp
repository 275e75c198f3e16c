// The loss of a data set equals that of one batch of all its rows, for any batches; nothing is learned or dropped.
#include "tenon/train/trainer/evaluation.hpp"

#include "tenon/data/data_set.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/loop/fit.hpp"
#include "tenon/train/metrics/metrics.hpp"
#include "tenon/train/trainer/shards.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace tenon::test {
using namespace nn;

constexpr int count = 11;
std::array<float, 3> point(int r) {
  const auto x = static_cast<float>(r);
  return {std::sin(x), std::cos(3 * x), std::sin(5 * x)};
}
std::vector<int> words(int r) {
  std::vector<int> all;
  for (int t = 0; t < r * 5 % 4 + 1; ++t) all.push_back((r + t * t) % 7);
  return all;
}
// For each word the next number; many are left out.
std::vector<int> tags(int r) {
  std::vector<int> all = words(r);
  for (std::size_t t = 0; t < all.size(); ++t) all[t] = (r + static_cast<int>(t)) % 3 == 0 ? -1 : all[t] % 3;
  return all;
}

template <class... Dropped>
using points_of =
    graph<"points", input<"x", features<3>>, node<"h", chain<linear<4>, activation::tanh, Dropped...>, "x">,
          node<"logits", linear<3>, "h">, node<"height", linear<2>, "h">, output<"logits">, output<"height">>;
using points = points_of<>;
using tagger = graph<"tagger", input<"words", token<7>, steps<4>>, node<"e", embedding<7, 3>, "words">,
                     node<"h", gru<4>, "e">, node<"logits", linear<3>, "h">, output<"logits">>;

// One batch of all rows, by a trainer that learns nothing.
template <class G, class Objective>
double loss_at_once(parameters<G>& theta, const auto& data) {
  trainer<G, Objective, optimizers::sgd, batch<count>> whole(theta, {.learning_rate = 0});
  std::vector<int> all;
  for (int r = 0; r < count; ++r) all.push_back(r);
  data.set_inputs(whole, all);
  return static_cast<double>(whole.step());
}
template <class G, class Objective>
void check_loss(const auto& data) {
  parameters<G> theta(seed{6});
  for (int k = 0; k < theta.block_size; ++k) theta.data()[k] *= 2;
  const double expected = loss_at_once<G, Objective>(theta, data);
  CHECK(expected > 0.05);
  const auto check_batches = [&]<class... Options>(const Options&...) {
    trainer<G, Objective, optimizers::sgd, Options...> t(theta);
    CHECK(evaluate(t, data).loss == doctest::Approx(expected).epsilon(2e-6));
  };
  check_batches(batch<count>{});
  check_batches(batch<4>{});
  check_batches(batch<1>{});
  check_batches(batch<6>{}, shards<3>{});
}

TEST_CASE("the cross-entropy of rows") {
  const auto target = [](int r) { return r % 4 - 1; };  // every fourth is left out
  check_loss<points, losses::cross_entropy<"logits">>(
      data_set(column<"x">(count, point), column<"target">(count, target)));
}
TEST_CASE("the cross-entropy of rows with class weights, smoothed, and a class that is ignored") {
  const data_set data(column<"x">(count, point), column<"target">(count, [](int r) { return r % 3; }));
  check_loss<points, losses::cross_entropy<"logits", "target", losses::class_weights<1, 5, 0.25>,
                                           losses::label_smoothing<0.1>>>(data);
  check_loss<points, losses::cross_entropy<"logits", "target", losses::ignored<1>>>(data);
}
TEST_CASE("the cross-entropy of sequences counts steps with a target, not rows and not batches") {
  check_loss<tagger, losses::cross_entropy<"logits">>(
      data_set(column<"words">(count, words), column<"target">(count, tags)));
}
TEST_CASE("a batch without any target adds nothing") {
  check_loss<points, losses::cross_entropy<"logits">>(
      data_set(column<"x">(count, point), column<"target">(count, [](int r) { return r < 8 ? -1 : r % 3; })));
}
TEST_CASE("the squared error of rows") {
  check_loss<points, losses::mse<"height">>(
      data_set(column<"x">(count, point), column<"target">(count, [](int r) {
                 return std::array<float, 2>{point(r + 1)[0], point(r + 2)[1]};
               })));
}
TEST_CASE("a sum of losses, each over what it counts, and scaled ones") {
  using both = losses::sum_of<losses::cross_entropy<"logits", "class">,
                              losses::scaled<0.25, losses::mse<"height", "at">>,
                              losses::scaled<3, losses::cross_entropy<"logits", "other">>>;
  check_loss<points, both>(data_set(
      column<"x">(count, point), column<"class">(count, [](int r) { return r % 3; }),
      column<"other">(count, [](int r) { return r % 5 == 0 ? 2 : -1; }), column<"at">(count, [](int r) {
        return std::array<float, 2>{point(r + 1)[0], 1};
      })));
}

TEST_CASE("the sums are those of all that was added since the last reset; of nothing they are 0") {
  parameters<points> theta(seed{6});
  const data_set data(column<"x">(count, point), column<"target">(count, [](int r) { return r % 3; }));
  evaluation<points, losses::cross_entropy<"logits">, batch<4>> session;
  CHECK(session.loss() == 0);
  const auto add = [&](const std::vector<int>& rows) {
    data.set_inputs(session, rows);
    session.add(theta);
    return session.loss();
  };
  const double first = add({0, 1, 2, 3}), both = add({4});
  session.reset();
  CHECK(session.loss() == 0);
  const double second = add({4});
  CHECK(both == doctest::Approx((4 * first + second) / 5).epsilon(1e-6));
  CHECK(first != second);
}

TEST_CASE("nothing is dropped") {
  using dropping = points_of<dropout<0.9>>;
  parameters<points> kept_theta(seed{6});
  parameters<dropping> theta(zeros{});
  static_assert(theta.block_size == kept_theta.block_size);
  std::copy_n(std::as_const(kept_theta).data(), theta.block_size, theta.data());
  const data_set data(column<"x">(count, point), column<"target">(count, [](int r) { return r % 3; }));
  trainer<dropping, losses::cross_entropy<"logits">, optimizers::sgd, batch<4>> t(theta, {.learning_rate = 0},
                                                                                  seed{1});
  trainer<points, losses::cross_entropy<"logits">, optimizers::sgd, batch<4>> kept(kept_theta);
  CHECK(evaluate(t, data).loss == evaluate(kept, data).loss);
  CHECK(evaluate(t, data, {metric::accuracy{}}).metrics ==
        evaluate(kept, data, {metric::accuracy{}}).metrics);
  data.set_inputs(t, std::vector<int>{0, 1, 2, 3});
  data.set_inputs(kept, std::vector<int>{0, 1, 2, 3});
  CHECK(t.step() != kept.step());  // a trainer does use dropout
}
TEST_CASE("an evaluation between the inputs and the step of a trainer changes nothing") {
  parameters<points> theta(seed{6}), undisturbed(seed{6});
  const data_set data(column<"x">(count, point), column<"target">(count, [](int r) { return r % 3; }));
  trainer<points, losses::cross_entropy<"logits">, optimizers::adam, batch<4>> t(theta), u(undisturbed);
  for (int k = 0; k < 3; ++k) {
    data.set_inputs(t, std::vector<int>{k, k + 1});
    data.set_inputs(u, std::vector<int>{k, k + 1});
    const double before = evaluate(t, data).loss;
    CHECK(t.steps() == k);
    CHECK(t.step() == u.step());
    CHECK(evaluate(t, data).loss != before);  // it uses the current parameters
  }
  for (int k = 0; k < theta.block_size; ++k)
    REQUIRE(std::as_const(theta).data()[k] == std::as_const(undisturbed).data()[k]);
}

// A user's own metric: the largest first logit.
struct largest_logit {
  double largest = -1e9;
  static std::string name() { return "largest"; }
  void reset() { largest = -1e9; }
  void add(const auto& session) {
    for (int r = 0; r < session.rows(); ++r)
      largest = std::max(largest, static_cast<double>(get<"logits">(session)(r, 0)));
  }
  float value() const { return static_cast<float>(largest); }
};
TEST_CASE("metrics come in their order, those of one's own too, and see every batch once") {
  parameters<points> theta(seed{6});
  const data_set data(column<"x">(count, point), column<"target">(count, [](int r) { return r % 3; }));
  trainer<points, losses::cross_entropy<"logits">, optimizers::sgd, batch<4>> t(theta);
  inference<points, batch<count>> all;
  std::vector<int> rows(count);
  for (int r = 0; r < count; ++r) rows[static_cast<std::size_t>(r)] = r;
  data.set_inputs(all, rows);
  all.run(theta);
  const auto logits = get<"logits">(all);
  float largest = logits(0, 0);
  int right = 0;
  for (int r = 0; r < count; ++r) {
    largest = std::max(largest, logits(r, 0));
    bool is_right = true;
    for (int c = 0; c < 3; ++c) is_right = is_right && logits(r, c) <= logits(r, r % 3);
    right += is_right;
  }
  for (int again = 0; again < 2; ++again) {
    const reports::evaluation found = evaluate(t, data, {largest_logit{}, metric::accuracy{}});
    REQUIRE(found.metrics.size() == 2);
    CHECK(found.metrics[0] == doctest::Approx(largest).epsilon(1e-6));
    CHECK(found.metrics[1] == doctest::Approx(right / double(count)).epsilon(1e-12));
  }
}
TEST_CASE("a data set without rows is an error") {
  parameters<points> theta(seed{6});
  trainer<points, losses::cross_entropy<"logits">, optimizers::sgd, batch<4>> t(theta);
  const data_set none(column<"x">(0, point), column<"target">(0, [](int) { return 0; }));
  CHECK_THROWS_WITH_AS(evaluate(t, none), "the data set to evaluate, or to validate with, is empty",
                       input_error);
}

}  // namespace tenon::test
