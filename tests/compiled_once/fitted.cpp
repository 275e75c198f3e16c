// A training by fit with a validation and a metric, whose types fit erases: their names, which contain the graph's, are not in the program.
#include <tenon/tenon.hpp>

#include <array>
#include <vector>

namespace fitted {

using model = tenon::graph<"a_model_whose_name_alone_is_longer_than_thirty_letters",
                           tenon::input<"numbers", tenon::features<3>>,
                           tenon::node<"scores", tenon::nn::linear<4>, "numbers">, tenon::output<"scores">>;
using training =
    tenon::trainer<model, tenon::losses::cross_entropy<"scores">, tenon::optimizers::sgd, tenon::batch<8>>;

double run(training& train, std::vector<std::array<float, 3>> numbers, std::vector<int> targets) {
  const tenon::data_set data(tenon::column<"numbers">(std::move(numbers)),
                             tenon::column<"target">(std::move(targets)));
  const auto history = tenon::fit(
      train, data, {.epochs = 2, .validate = data, .metrics = {tenon::metric::accuracy<"scores">{}}});
  return history.last().validation_loss;
}

}  // namespace fitted
