// Metrics whose types are erased: they give the same values as before; two with the same name are distinguished by their outputs.
#include "tenon/train/metrics/any_metric.hpp"

#include "tenon/data/data_set.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/loop/fit.hpp"
#include "tenon/train/metrics/metrics.hpp"
#include "tenon/train/metrics/metrics_of_losses.hpp"
#include "tenon/train/metrics/metrics_of_numbers.hpp"
#include "tenon/train/trainer/trainer.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace tenon::test {
using namespace nn;

using two_kinds = graph<"two_kinds", input<"x", features<1>>, node<"left", linear<2>, "x">,
                        node<"right", linear<3>, "x">, output<"left">, output<"right">>;
using training =
    trainer<two_kinds,
            losses::sum_of<losses::cross_entropy<"left", "l">, losses::cross_entropy<"right", "r">>,
            optimizers::sgd, batch<4>>;
using any = engine::any_metric<training::evaluation_type>;
using names = std::vector<std::string>;
auto rows() {
  return data_set(column<"x">(std::vector<float>{1, 2, 3, 4, 5}),
                  column<"l">(std::vector<int>{0, 1, 0, 1, 1}), column<"r">(std::vector<int>{2, 2, 1, 0, 2}));
}
struct constant {
  double is = 0;
  std::string called = "constant";
  std::string name() const { return called; }
  void reset() {}
  void add(const auto&) {}
  double value() const { return is; }
};
using of_left = metric::accuracy<"left", "l">;
using of_right = metric::accuracy<"right", "r">;

TEST_CASE("a metric behind its type") {
  const any left = of_left{}, own = constant{3, "mine"};
  CHECK((left.name() == "accuracy" && left.output() == "left"));
  CHECK((own.name() == "mine" && own.output() == "" && own.value() == 3));
}
// The best value of each: a metric that does not specify a direction is best at its highest value.
struct falling : constant {
  static constexpr bool lower_is_better = true;
};
struct either : constant {
  bool lower_is_better;
};
TEST_CASE("a metric knows whether its lowest value is the best") {
  const auto is_lower_better = [](const any& metric) { return metric.lower_is_better(); };
  for (const any& highest :
       {any(of_left{}), any(metric::top_k<2, "left", "l">{}), any(metric::sequence_accuracy<"left", "l">{}),
        any(metric::macro_recall<"left", "l">{}), any(metric::macro_f1<"left", "l">{}), any(constant{}),
        any(either{{}, false})})
    CHECK_MESSAGE(!is_lower_better(highest), highest.name());
  for (const any& lowest :
       {any(metric::perplexity<"left", "l">{}), any(metric::loss<losses::cross_entropy<"left", "l">>{}),
        any(falling{}), any(either{{}, true})})
    CHECK_MESSAGE(is_lower_better(lowest), lowest.name());
}
TEST_CASE("two metrics of one name are called by their outputs, others by their names") {
  CHECK(engine::names_of(std::vector<any>{of_left{}, metric::macro_f1<"left", "l">{}, constant{}}) ==
        names{"accuracy", "macro F1", "constant"});
  CHECK(engine::names_of(std::vector<any>{of_left{}, metric::macro_f1<"left", "l">{}, of_right{}}) ==
        names{"accuracy of left", "macro F1", "accuracy of right"});
  CHECK(engine::names_of(std::vector<any>{metric::loss<losses::cross_entropy<"left", "l">>{},
                                          metric::loss<losses::cross_entropy<"right", "r">>{}}) ==
        names{"cross_entropy of left", "cross_entropy of right"});
  CHECK(engine::names_of(std::vector<any>{constant{}, constant{}}) == names{"constant", "constant"});
}
TEST_CASE("early stopping watches one metric by its name, and refuses a name that is two metrics'") {
  parameters<two_kinds> theta(seed{1});
  training t(theta);
  const auto fitted = [&](std::vector<any> metrics, const std::string& watched) {
    return fit(
        t, rows(),
        {.validate = rows(), .metrics = metrics, .stop = early_stopping{.metric = watched}, .log = nullptr});
  };
  CHECK(fitted({of_left{}, of_right{}}, "accuracy of right").metric_names ==
        names{"accuracy of left", "accuracy of right"});
  CHECK_THROWS_WITH_AS(fitted({of_left{}, of_right{}}, "accuracy"),
                       "early_stopping: no metric is named 'accuracy'; the metrics are 'accuracy of left', "
                       "'accuracy of right'",
                       input_error);
  CHECK_THROWS_WITH_AS(
      fitted({constant{}, of_left{}, constant{}}, "constant"),
      "early_stopping: 2 metrics are named 'constant'; give the one to watch a name() of its own",
      input_error);
  CHECK(fitted({constant{}, of_left{}, constant{}}, "accuracy").epochs.size() == 1);
}

}  // namespace tenon::test
