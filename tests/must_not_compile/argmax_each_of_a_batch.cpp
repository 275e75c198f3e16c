// The largest score of each step, of a whole batch.
// expect: argmax_each takes rows of scores, [rows, D], such as those of a sequence: argmax_each(scores[row])
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<4>, steps<5>>, node<"y", linear<3>, "x">, output<"y">>;

std::vector<int> use(const inference<model, batch<8>>& run) {
#ifdef MISTAKE
  return argmax_each(get<"y">(run));
#else
  return argmax_each(get<"y">(run)[0]);
#endif
}
