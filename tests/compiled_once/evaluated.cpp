// Data of all kinds, a trainer with parameter groups, a checkpoint, an evaluation with metrics, parameters by name and in files.
#include <tenon/io/parameters.hpp>
#include <tenon/io/safetensors.hpp>
#include <tenon/parameters/copy_by_name.hpp>
#include <tenon/tenon.hpp>
#include <tenon/train/checkpoints/checkpoint.hpp>

#include <array>
#include <string>
#include <vector>

namespace evaluated {

using model = tenon::graph<
    "tagger", tenon::input<"words", tenon::token<50>, tenon::steps<6>>,
    tenon::input<"numbers", tenon::features<3>>,
    tenon::node<"embedded", tenon::nn::embedding<50, 4>, "words">,
    tenon::node<"states", tenon::nn::lstm<5, tenon::layers<2>, tenon::nn::dropout<0.5>>, "embedded">,
    tenon::node<"tags", tenon::nn::linear<4>, "states">, tenon::node<"age", tenon::nn::linear<1>, "numbers">,
    tenon::output<"tags">, tenon::output<"age">>;
using objective =
    tenon::losses::sum_of<tenon::losses::cross_entropy<"tags", "tag">, tenon::losses::mse<"age", "years">>;
using training = tenon::trainer<model, objective, tenon::optimizers::adam, tenon::batch<8>>;

double run(training& train, std::vector<std::vector<int>> words, std::vector<std::vector<int>> tags,
           std::vector<std::array<float, 3>> numbers, std::vector<float> years) {
  const tenon::data_set data(tenon::column<"words">(std::move(words)), tenon::column<"tag">(std::move(tags)),
                             tenon::column<"numbers">(std::move(numbers)),
                             tenon::column<"years">(std::move(years)));
  tenon::fit_options<training> options{.epochs = 2, .validate = data};
  options.metrics = {tenon::metric::accuracy<"tags", "tag">{},
                     tenon::metric::loss<tenon::losses::mse<"age", "years">>{}};
  options.checkpoint = tenon::checkpoint{"tagger.checkpoint"};
  const auto history = tenon::fit(train, data, options);
  const auto found = tenon::evaluate(
      train, data, {tenon::metric::perplexity<"tags", "tag">{}, tenon::metric::macro_f1<"tags", "tag">{}});
  tenon::save(train.theta(), "tagger.parameters");
  tenon::load(train.theta(), "tagger.parameters");
  return history.last().validation_loss + found.loss;
}

}  // namespace evaluated
