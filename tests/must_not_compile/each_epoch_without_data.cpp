// A function for each epoch that returns something else than data.
// expect(g++): \'int\' is not a data set
// expect(clang): \'int\' is not a data set
#include <tenon/data/data_set.hpp>
#include <tenon/data/each_epoch.hpp>
#include <tenon/tenon.hpp>
#include <tenon/train/loop/fit.hpp>

#include <vector>

using namespace tenon;

using model = graph<"model", input<"x", features<1>>, node<"y", nn::linear<1>, "x">, output<"y">>;

void learn(trainer<model, losses::mse<"y">, optimizers::sgd>& training, const std::vector<float>& x) {
  const auto data = data_set(column<"x">(x), column<"target">(x));
#ifdef MISTAKE
  fit(training, each_epoch([&](int) { return data.size(); }));
#else
  fit(training, each_epoch([&](int) { return data; }));
#endif
}
