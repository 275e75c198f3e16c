// A loss that is none of the objective's, as a metric.
// expect(g++): metric::loss: \'losses::l1\' of output \'y\' is not a loss of the objective
// expect(clang): "metric::loss: \'losses::l1\' of"
// expect(clang): "output \'y\' is not a loss of the"
// expect(clang): "objective; name one as"
// expect(clang): "losses::sum_of<..> has it"
#include <tenon/tenon.hpp>

#include <array>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
using training = trainer<model, losses::mse<"y">, optimizers::adam, batch<32>>;
void use(training& train, const std::vector<std::array<float, 8>>& x,
         const std::vector<std::array<float, 4>>& y) {
#ifdef MISTAKE
  using judged = losses::l1<"y">;
#else
  using judged = losses::mse<"y">;
#endif
  evaluate(train, data_set(column<"x">(x), column<"target">(y)), {metric::loss<judged>{}});
}
