// The data set in front of the trainer.
// expect(g++): the first argument is not a trainer; write fit(trainer, data, {.epochs = 30})
// expect(clang): the first argument is not a trainer; write fit(trainer, data, {.epochs = 30})
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
using learner = trainer<model, losses::cross_entropy<"y">, optimizers::adam>;

void train(learner& learn, const std::vector<std::vector<float>>& x, const std::vector<int>& target) {
#ifdef MISTAKE
  fit(data_set(column<"x">(x), column<"target">(target)), learn, {.epochs = 3});
#else
  fit(learn, data_set(column<"x">(x), column<"target">(target)), {.epochs = 3});
#endif
}
