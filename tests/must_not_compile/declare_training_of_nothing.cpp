// A training is declared that is not there, as after an error in its own line.
// expect(g++): 'learner' in namespace 'my' does not name a type
// expect(clang): no type named 'learner' in namespace 'my'
// alone: what is declared is outside of namespaces
#include <tenon/tenon.hpp>

#include <array>

using namespace tenon::nn;

namespace my {
using model =
    tenon::graph<"model", tenon::input<"x", tenon::features<8>>, tenon::node<"y", linear<4>, "x">, tenon::output<"y">>;
using training = tenon::trainer<model, tenon::losses::mse<"y">, tenon::optimizers::adam>;
inline auto samples_of(std::vector<std::array<float, 8>> x, std::vector<std::array<float, 4>> y) {
  return tenon::data_set(tenon::column<"x">(std::move(x)), tenon::column<"target">(std::move(y)));
}
using samples = decltype(samples_of({}, {}));
}  // namespace my
#ifdef MISTAKE
TENON_DECLARE_TRAINING(my::learner, my::samples);
#else
TENON_DECLARE_TRAINING(my::training, my::samples);
#endif
