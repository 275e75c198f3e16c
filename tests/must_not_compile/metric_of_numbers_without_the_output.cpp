// A metric of numbers without names, of a graph whose output is called otherwise.
// expect(g++): the graph has no output \'y\'; name the output, as in metric::mean_absolute_error<\"price\">{}
// expect(clang): "the graph has no output \'y\'; name"
// expect(clang): "metric::mean_absolute_error<\"price"
#include <tenon/tenon.hpp>

#include <array>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"price", linear<4>, "x">, output<"price">>;
using training = trainer<model, losses::mse<"price">, optimizers::adam, batch<32>>;
void use(training& train, const std::vector<std::array<float, 8>>& x,
         const std::vector<std::array<float, 4>>& y) {
#ifdef MISTAKE
  evaluate(train, data_set(column<"x">(x), column<"target">(y)), {metric::mean_absolute_error{}});
#else
  evaluate(train, data_set(column<"x">(x), column<"target">(y)), {metric::mean_absolute_error<"price">{}});
#endif
}
