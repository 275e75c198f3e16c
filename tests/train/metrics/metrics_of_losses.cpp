// Each loss of an objective separately: the value of a training on only that loss; their sum, weighted by counts, is the whole loss.
#include "tenon/train/metrics/metrics_of_losses.hpp"

#include "tenon/data/data_set.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/loop/fit.hpp"
#include "tenon/train/metrics/metrics_of_numbers.hpp"
#include "tenon/train/trainer/shards.hpp"
#include "tenon/train/trainer/trainer.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

namespace tenon::test {
using namespace nn;

using two_tasks =
    graph<"two_tasks", input<"x", features<2>>, node<"h", chain<linear<4>, activation::tanh>, "x">,
          node<"kind", linear<3>, "h">, node<"age", linear<1>, "h">, output<"kind">, output<"age">>;
constexpr int count = 7;
auto both() {
  return data_set(column<"x">(count,
                              [](int r) {
                                return std::array{std::sin(float(r)), std::cos(float(3 * r))};
                              }),
                  column<"kinds">(count, [](int r) { return r % 4 - 1; }),  // every fourth is left out
                  column<"ages">(count, [](int r) { return float(r) / 3; }));
}
using of_kind = losses::cross_entropy<"kind", "kinds">;
using of_age = losses::mse<"age", "ages">;
// With a separate objective, which has no input for the other loss's target.
template <class Loss>
double alone(const auto& data) {
  parameters<two_tasks> theta(seed{3});
  trainer<two_tasks, Loss, optimizers::sgd, batch<count>> judge(theta);
  return evaluate(judge, data).loss;
}
const auto of_x = [] {
  return column<"x">(count, [](int r) { return std::array{std::sin(float(r)), std::cos(float(3 * r))}; });
};
const auto only_kinds = [] {
  return data_set(of_x(), column<"kinds">(count, [](int r) { return r % 4 - 1; }));
};
const auto only_ages = [] {
  return data_set(of_x(), column<"ages">(count, [](int r) { return float(r) / 3; }));
};

template <class... Options>
void check_each(const Options&...) {
  parameters<two_tasks> theta(seed{3});
  trainer<two_tasks, losses::sum_of<of_kind, losses::scaled<0.25, of_age>>, optimizers::sgd, Options...>
      both_of_them(theta);
  const auto report =
      evaluate(both_of_them, both(),
               {metric::loss<of_kind>{}, metric::loss<of_age>{}, metric::loss<losses::scaled<0.25, of_age>>{},
                metric::mean_squared_error<"age", "ages">{}});
  CHECK(report.metrics[0] == doctest::Approx(alone<of_kind>(only_kinds())).epsilon(1e-6));
  CHECK(report.metrics[1] == doctest::Approx(alone<of_age>(only_ages())).epsilon(1e-6));
  CHECK(report.metrics[2] == doctest::Approx(report.metrics[1] / 4).epsilon(1e-9));
  CHECK(report.metrics[3] == doctest::Approx(report.metrics[1]).epsilon(1e-6));
  CHECK(report.loss == doctest::Approx(report.metrics[0] + report.metrics[2]).epsilon(1e-9));
}
TEST_CASE("each loss, whatever the batches") {
  check_each(batch<count>{});
  check_each(batch<2>{});
  check_each(batch<4>{}, shards<2>{});
}
TEST_CASE("the only loss, and sums of sums") {
  parameters<two_tasks> theta(seed{3});
  trainer<two_tasks, of_age, optimizers::sgd, batch<3>> one(theta);
  const auto report = evaluate(one, only_ages(), {metric::loss<of_age>{}});
  CHECK(report.metrics[0] == report.loss);
  using inner = losses::sum_of<losses::scaled<0.5, losses::l1<"age", "ages">>, of_age>;
  trainer<two_tasks, losses::sum_of<of_kind, losses::scaled<2, inner>>, optimizers::sgd, batch<3>> nested(
      theta);
  const auto parts =
      evaluate(nested, both(),
               {metric::loss<of_kind>{}, metric::loss<losses::l1<"age", "ages">>{}, metric::loss<of_age>{}});
  CHECK(parts.metrics[1] == doctest::Approx(alone<losses::l1<"age", "ages">>(only_ages())).epsilon(1e-6));
  CHECK(parts.metrics[2] == doctest::Approx(report.loss).epsilon(1e-6));
  CHECK(parts.loss ==
        doctest::Approx(parts.metrics[0] + parts.metrics[1] + 2 * parts.metrics[2]).epsilon(1e-6));
}
TEST_CASE("a loss is called as it is written, and told apart by its output") {
  CHECK(metric::loss<losses::mse<"age">>{}.name() == "mse");
  CHECK(metric::loss<losses::mse<"age">>::output() == "age");
  CHECK(metric::loss<losses::scaled<0.5, losses::cross_entropy<"kind", "kinds">>>{}.name() ==
        "0.5 cross_entropy");
  CHECK(metric::loss<losses::scaled<3, losses::scaled<0.25, losses::mse<"age">>>>{}.name() == "0.75 mse");
  CHECK(metric::loss<losses::scaled<2, losses::sum_of<losses::mse<"age">>>>{}.name() == "2 sum_of");
  CHECK(metric::loss<losses::scaled<0.5, losses::cross_entropy<"kind", "kinds">>>::output() == "kind");
}

}  // namespace tenon::test
