// A loss of the objective as a metric, without its target.
// expect(g++): metric::loss: \'losses::mse\' of output \'y\' is not a loss of the objective; write losses::mse<\"y\", \"wanted\">, as the objective has it
// expect(clang): "metric::loss: \'losses::mse\' of"
// expect(clang): "output \'y\' is not a loss of the"
// expect(clang): "objective; write losses::mse<\"y\","
// expect(clang): "\"wanted\">, as the objective has it"
#include <tenon/tenon.hpp>

#include <array>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
using judged_by = losses::mse<"y", "wanted">;
using training = trainer<model, losses::sum_of<losses::l1<"y", "wanted">, losses::scaled<0.5, judged_by>>,
                         optimizers::adam, batch<32>>;
void use(training& train, const std::vector<std::array<float, 8>>& x,
         const std::vector<std::array<float, 4>>& y) {
#ifdef MISTAKE
  using judged = losses::mse<"y">;
#else
  using judged = losses::mse<"y", "wanted">;
#endif
  evaluate(train, data_set(column<"x">(x), column<"wanted">(y)), {metric::loss<judged>{}});
}
