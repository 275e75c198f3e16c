// Metrics of classification and of language models, against values worked out by hand and against sorted scores.
#include "tenon/train/metrics/metrics.hpp"

#include "tenon/engine/session/session.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/trainer/shards.hpp"
#include "tenon/train/trainer/trainer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

namespace tenon::test {
using namespace nn;

// Six tokens, each with its own scores; whole numbers, so that ties are exact.
constexpr int tokens = 6, classes = 4;
constexpr std::array<std::array<float, classes>, tokens> scores{
    {{0, 1, 2, 3}, {5, 5, 1, 0}, {2, 2, 2, 2}, {-1, -1, -3, 4}, {0, 2, 2, 1}, {7, -7, 0, 7}}};
template <class... Shape>
using scorer = graph<"scorer", input<"x", token<tokens>, Shape...>,
                     node<"logits", embedding<tokens, classes>, "x">, output<"logits">>;
template <class G>
void set_scores(parameters<G>& theta) {
  for (std::size_t t = 0; t < tokens; ++t)
    for (std::size_t c = 0; c < classes; ++c) get<"logits.weight">(theta)(t, c) = scores[t][c];
}
// A scored token, and its target class; -1 means none.
struct scored {
  int token, target;
};
// The rank of the target among the sorted scores, from 0; of equal scores the first comes first.
int rank_of(const scored& s) {
  std::array<int, classes> order{0, 1, 2, 3};
  const auto& of = scores[static_cast<std::size_t>(s.token)];
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const float of_a = of[static_cast<std::size_t>(a)], of_b = of[static_cast<std::size_t>(b)];
    return of_a != of_b ? of_a > of_b : a < b;
  });
  return static_cast<int>(std::find(order.begin(), order.end(), s.target) - order.begin());
}
int guess(const scored& s) {
  int best = 0;
  while (rank_of({s.token, best}) != 0) ++best;
  return best;
}
double share_within(const std::vector<scored>& all, int k) {
  int right = 0, counted = 0;
  for (const scored& s : all)
    if (s.target >= 0) {
      right += rank_of(s) < k;
      ++counted;
    }
  return static_cast<double>(right) / counted;
}

struct all_metrics {
  metric::accuracy<> right;
  metric::top_k<1> first;
  metric::top_k<2> second;
  metric::top_k<classes> any;
  metric::perplexity<> doubt;
  metric::macro_recall<> recall;
  metric::macro_f1<> f1;
  void add(const auto& session) {
    right.add(session);
    first.add(session);
    second.add(session);
    any.add(session);
    doubt.add(session);
    recall.add(session);
    f1.add(session);
  }
  void check(const std::vector<scored>& all, double loss) const {
    metric::confusion expected(classes);
    for (const scored& s : all)
      if (s.target >= 0) expected.add(s.target, guess(s));
    CHECK(right.value() == doctest::Approx(share_within(all, 1)).epsilon(1e-12));
    CHECK(right.value() == doctest::Approx(expected.accuracy()).epsilon(1e-12));
    CHECK(first.value() == right.value());
    CHECK(second.value() == doctest::Approx(share_within(all, 2)).epsilon(1e-12));
    CHECK(any.value() == 1);
    CHECK(doubt.value() == doctest::Approx(std::exp(loss)).epsilon(1e-5));
    CHECK(recall.value() == doctest::Approx(expected.macro_recall()).epsilon(1e-12));
    CHECK(f1.value() == doctest::Approx(expected.macro_f1()).epsilon(1e-12));
  }
};

// Every token with every class, some of them left out, in batches of four.
std::vector<scored> all_scored() {
  std::vector<scored> all;
  for (int k = 0; k < tokens * classes; ++k)
    all.push_back({k % tokens, k % 5 == 3 ? -1 : (k / tokens + k) % classes});
  return all;
}
template <class Objective = losses::cross_entropy<"logits">, class Metrics>
double run_rows(const std::vector<scored>& all, Metrics& metrics) {
  parameters<scorer<>> theta(zeros{});
  set_scores(theta);
  evaluation<scorer<>, Objective, batch<5>> session;  // the last batch is smaller
  for (std::size_t from = 0; from < all.size(); from += 5) {
    std::vector<int> x, target;
    for (std::size_t k = from; k < std::min(from + 5, all.size()); ++k) {
      x.push_back(all[k].token);
      target.push_back(all[k].target);
    }
    set_input<"x">(session, x);
    set_input<"target">(session, target);
    session.add(theta);
    metrics.add(session);
  }
  return session.loss();
}
TEST_CASE("metrics count rows, over all batches, but those without a target") {
  const std::vector<scored> all = all_scored();
  all_metrics found;
  found.check(all, run_rows(all, found));
  CHECK(found.right.value() < found.second.value());
  CHECK(found.second.value() < 1);
}
TEST_CASE("of equal scores the first is taken") {
  const auto of = [](const scored& s) {
    all_metrics found;
    run_rows({s}, found);
    return std::array{found.right.value(), found.second.value()};
  };
  CHECK(of({1, 0}) == std::array{1.0, 1.0});  // 5 5 1 0
  CHECK(of({1, 1}) == std::array{0.0, 1.0});
  CHECK(of({1, 2}) == std::array{0.0, 0.0});
  CHECK(of({2, 0}) == std::array{1.0, 1.0});  // 2 2 2 2
  CHECK(of({2, 1}) == std::array{0.0, 1.0});
  CHECK(of({2, 2}) == std::array{0.0, 0.0});
  CHECK(of({5, 3}) == std::array{0.0, 1.0});  // 7 -7 0 7
}
TEST_CASE("perplexity of equal scores is their number, and large scores are no infinity") {
  metric::perplexity<> doubt;
  run_rows({{2, 0}, {2, 3}}, doubt);
  CHECK(doubt.value() == doctest::Approx(4).epsilon(1e-12));
  doubt.reset();
  parameters<scorer<>> theta(zeros{});
  for (std::size_t c = 0; c < classes; ++c) get<"logits.weight">(theta)(0, c) = c == 1 ? 1e4f : 9999;
  evaluation<scorer<>, losses::cross_entropy<"logits">, batch<1>> session;
  set_input<"x">(session, std::vector<int>{0});
  set_input<"target">(session, std::vector<int>{1});
  session.add(theta);
  doubt.add(session);
  CHECK(doubt.value() == doctest::Approx(1 + 3 / std::exp(1)).epsilon(1e-6));
}
TEST_CASE("reset forgets; metrics without rows are 0, and without rows nothing is in doubt") {
  all_metrics found;
  run_rows(all_scored(), found);
  const auto check_none = [](const all_metrics& none) {
    CHECK(none.right.value() == 0);
    CHECK(none.second.value() == 0);
    CHECK(none.doubt.value() == 1);
    CHECK(none.recall.value() == 0);
    CHECK(none.f1.value() == 0);
  };
  found.right.reset();
  found.second.reset();
  found.doubt.reset();
  found.recall.reset();
  found.f1.reset();
  check_none(found);
  all_metrics of_none;
  run_rows({{1, -1}}, of_none);
  check_none(of_none);
  CHECK(found.right.name() == "accuracy");
  CHECK(found.second.name() == "top 2");
  CHECK(found.doubt.name() == "perplexity");
  CHECK(found.recall.name() == "macro recall");
  CHECK(found.f1.name() == "macro F1");
}

TEST_CASE("metrics count the steps of sequences up to their ends, but those without a target") {
  using model = scorer<steps<4>>;
  parameters<model> theta(zeros{});
  set_scores(theta);
  evaluation<model, losses::cross_entropy<"logits">, batch<3>> session;
  const std::vector<scored> all = all_scored();
  all_metrics found;
  std::vector<scored> seen;
  const std::vector<std::vector<std::size_t>> lengths{{4, 1, 2}, {0, 3}, {4}};
  std::size_t next = 0;
  for (const auto& of_batch : lengths) {
    std::vector<std::vector<int>> x, target;
    for (std::size_t length : of_batch) {
      x.emplace_back();
      target.emplace_back();
      for (std::size_t t = 0; t < length; ++t) {
        const scored& s = seen.emplace_back(all[next++]);
        x.back().push_back(s.token);
        target.back().push_back(s.target);
      }
    }
    set_input<"x">(session, x);
    set_input<"target">(session, target);
    session.add(theta);
    found.add(session);
  }
  CHECK(seen.size() == 14);
  found.check(seen, session.loss());
}
TEST_CASE("a sequence is right where none of its targets is missed") {
  using model = scorer<steps<4>>;
  parameters<model> theta(zeros{});
  set_scores(theta);
  const auto right = [](int token) { return guess({token, 0}); };
  const auto wrong = [&](int token) { return (right(token) + 1) % classes; };
  metric::sequence_accuracy<> whole;
  CHECK(whole.name() == "sequence accuracy");
  CHECK(whole.value() == 0);
  evaluation<model, losses::cross_entropy<"logits">, batch<4>> session;
  const auto add = [&](const std::vector<std::vector<int>>& x, const std::vector<std::vector<int>>& target) {
    set_input<"x">(session, x);
    set_input<"target">(session, target);
    session.add(theta);
    whole.add(session);
    return whole.value();
  };
  CHECK(add({{0, 3, 4}}, {{right(0), right(3), right(4)}}) == 1);
  CHECK(add({{0, 3}, {}, {4, 4}, {5}}, {{right(0), wrong(3)}, {}, {-1, -1}, {right(5)}}) == 2.0 / 3);
  CHECK(add({{0, 1, 2}, {3, 5}}, {{-1, right(1), right(2)}, {wrong(3), right(5)}}) == 3.0 / 5);
  whole.reset();
  CHECK(add({{0}}, {{wrong(0)}}) == 0);
  CHECK(add({{0}}, {{right(0)}}) == 0.5);
}
TEST_CASE("metrics count the places of grids") {
  using model = graph<"places", input<"x", features<classes>, grid<2, 3>>,
                      node<"logits", linear<classes>, "x">, output<"logits">>;
  parameters<model> theta(zeros{});
  for (std::size_t c = 0; c < classes; ++c) get<"logits.weight">(theta)(c, c) = 1;
  evaluation<model, losses::cross_entropy<"logits">, batch<3>> session;
  const std::vector<scored> all = all_scored();
  constexpr std::size_t places = 2 * 6;
  std::vector<float> x;
  std::vector<int> target;
  for (std::size_t k = 0; k < places; ++k) {
    x.insert(x.end(), scores[static_cast<std::size_t>(all[k].token)].begin(),
             scores[static_cast<std::size_t>(all[k].token)].end());
    target.push_back(all[k].target);
  }
  set_input<"x">(session, view<const float>(x.data(), {2, 2, 3, classes}));
  set_input<"target">(session, view<const int>(target.data(), {2, 2, 3}));
  session.add(theta);
  all_metrics found;
  found.add(session);
  found.check({all.begin(), all.begin() + places}, session.loss());
}
TEST_CASE("a metric reads a trainer too, and outputs and targets of other names") {
  using model = graph<"model", input<"x", token<tokens>>, node<"mood", embedding<tokens, classes>, "x">,
                      output<"mood">>;
  parameters<model> theta(zeros{});
  for (std::size_t t = 0; t < tokens; ++t)
    for (std::size_t c = 0; c < classes; ++c) get<"mood.weight">(theta)(t, c) = scores[t][c];
  trainer<model, losses::cross_entropy<"mood", "felt">, optimizers::sgd, batch<4>> t(theta);
  set_input<"x">(t, std::vector<int>{0, 1, 3});
  set_input<"felt">(t, std::vector<int>{3, 2, 3});
  t.step();
  metric::accuracy<"mood", "felt"> right;
  right.add(t);
  CHECK(right.value() == doctest::Approx(2.0 / 3).epsilon(1e-12));
}

}  // namespace tenon::test
