// The predictions that metrics of classes read: the scores of each row and step with a target, in their order; and mistakes.
#include "tenon/train/metrics/predictions.hpp"

#include "tenon/engine/session/session.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/metrics/metrics_of_numbers.hpp"
#include "tenon/train/trainer/evaluation.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace tenon::test {
using namespace nn;

constexpr int tokens = 6, classes = 3;
// The scores of token x are x, 10 x and 1, so that scores identify their token.
template <class... Shape>
using scorer = graph<"scorer", input<"x", token<tokens>, Shape...>,
                     node<"logits", embedding<tokens, classes>, "x">, output<"logits">>;
template <class G>
parameters<G> known_scores() {
  parameters<G> theta(zeros{});
  for (int x = 0; x < tokens; ++x) {
    get<"logits.weight">(theta)(x, 0) = float(x);
    get<"logits.weight">(theta)(x, 1) = float(10 * x);
    get<"logits.weight">(theta)(x, 2) = 1;
  }
  return theta;
}
using seen = std::vector<std::array<int, 3>>;  // row, token, target
template <class Session>
seen seen_in(const Session& session) {
  seen all;
  engine::for_each_target<"logits", "target">(session, [&](int row, const auto& scores, int target) {
    CHECK(scores.extent(0) == classes);
    CHECK(scores(1) == 10 * scores(0));
    CHECK(scores(2) == 1);
    all.push_back({row, static_cast<int>(scores(0)), target});
  });
  std::size_t k = 0;
  metric::for_each_prediction<"logits", "target">(session, [&](const auto& scores, int target) {
    REQUIRE(k < all.size());
    CHECK(all[k][1] == static_cast<int>(scores(0)));
    CHECK(all[k++][2] == target);
  });
  CHECK(k == all.size());
  return all;
}

TEST_CASE("the position of the largest, the first of equals") {
  const auto of = [](const std::vector<float>& scores) {
    return tenon::detail::position_of_largest(view<const float>(scores.data(), {int(scores.size())}, {1}));
  };
  CHECK(of({3}) == 0);
  CHECK(of({1, 2, 3}) == 2);
  CHECK(of({1, 4, 4, 2}) == 1);
  CHECK(of({-5, -7, -5}) == 0);
}

TEST_CASE("rows with a target, of a batch that is not full") {
  const auto theta = known_scores<scorer<>>();
  evaluation<scorer<>, losses::cross_entropy<"logits">, batch<5>> session;
  set_input<"x">(session, std::vector{4, 0, 5});
  set_input<"target">(session, std::vector{2, -1, 0});
  session.add(theta);
  CHECK(seen_in(session) == seen{{0, 4, 2}, {2, 5, 0}});
}

TEST_CASE("steps with a target, row after row") {
  const auto theta = known_scores<scorer<steps<3>>>();
  evaluation<scorer<steps<3>>, losses::cross_entropy<"logits">, batch<2>> session;
  set_input<"x">(session, std::vector<std::vector<int>>{{1, 2, 3}, {4, 5}});
  set_input<"target">(session, std::vector<std::vector<int>>{{0, -1, 2}, {1, 0}});
  session.add(theta);
  CHECK(seen_in(session) == seen{{0, 1, 0}, {0, 3, 2}, {1, 4, 1}, {1, 5, 0}});
}

template <ir::text Output, ir::text Target>
constexpr auto unfit =
    engine::unfit_prediction<evaluation<scorer<>, losses::cross_entropy<"logits">, batch<2>>, Output,
                             Target>::wrong;
static_assert(!unfit<"logits", "target">);
static_assert(unfit<"logit", "target"> && unfit<"logits", "class">);  // unknown names
static_assert(unfit<"logits", "x">.rule.view().find("more classes") != std::string_view::npos);
// The suggested correction names the metric that was written.
constexpr auto says = [](const ir::problem& wrong, std::string_view words) {
  return wrong.rule.view().find(words) != std::string_view::npos ||
         wrong.fix.view().find(words) != std::string_view::npos;
};
template <ir::text Output, ir::text Target, ir::text Metric>
constexpr auto unfit_as =
    engine::unfit_prediction<evaluation<scorer<>, losses::cross_entropy<"logits">, batch<2>>, Output, Target,
                             Metric>::wrong;
static_assert(says(unfit_as<"y", "target", "metric::top_k<5, ">, "metric::top_k<5, \"logits\">{}"));
static_assert(says(unfit_as<"logits", "x", "metric::perplexity<">,
                   "metric::perplexity<\"logits\", \"class\">{}"));
static_assert(says(unfit_as<"logit", "target", "metric::perplexity<">, "did you mean 'logits'?"));
static_assert(says(engine::unfit_numbers<evaluation<scorer<>, losses::cross_entropy<"logits">, batch<2>>, "y",
                                         "target", "metric::mean_squared_error<">::wrong,
                   "metric::mean_squared_error<\"logits\">{}"));

}  // namespace tenon::test
