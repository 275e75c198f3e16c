// The probabilities of a whole batch.
// expect: softmax takes the scores of one row, [D], got a batch of them; name the row: softmax(scores[row])
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<4>>, node<"y", linear<3>, "x">, output<"y">>;

auto use(const inference<model, batch<8>>& run) {
#ifdef MISTAKE
  return softmax(get<"y">(run), 0.5);
#else
  return softmax(get<"y">(run)[0], 0.5);
#endif
}
