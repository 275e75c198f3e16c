// A trainer is copied, to go back to.
// expect: sessions and trainers are not copied; take a reference, auto& same = session, or make another
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
void use(trainer<model, losses::mse<"y">, optimizers::adam>& train) {
#ifdef MISTAKE
  auto before = train;
#else
  const auto before = train.state();
  train.restore(before);
#endif
}
