// A data set of what is no column, in a call of fit.
// expect(g++): a data set takes a column for each input; write data_set(column<\"x\">(..), column<\"target\">(..))
// expect(clang): "a data set takes a column for each"
// expect(clang): "input; write"
// expect(clang): "data_set(column<\"x\">(..),"
// expect(clang): "column<\"target\">(..))"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
using learner = trainer<model, losses::cross_entropy<"y">, optimizers::adam>;

void train(learner& learn, const std::vector<std::vector<float>>& x, const std::vector<int>& target) {
#ifdef MISTAKE
  fit(learn, data_set(x, target), {.epochs = 3});
#else
  fit(learn, data_set(column<"x">(x), column<"target">(target)), {.epochs = 3});
#endif
}
