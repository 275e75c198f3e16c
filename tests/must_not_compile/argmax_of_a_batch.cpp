// The largest score of a whole batch.
// expect: argmax takes the scores of one row, [D], got a batch of them; name the row: argmax(scores, row), of [rows, time, D] argmax(scores[row][step])
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<4>>, node<"y", linear<3>, "x">, output<"y">>;

int use(const inference<model, batch<8>>& run) {
#ifdef MISTAKE
  return argmax(get<"y">(run));
#else
  return argmax(get<"y">(run), 0);
#endif
}
