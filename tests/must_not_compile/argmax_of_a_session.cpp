// The largest score of a session, which has many outputs and rows.
// expect: argmax takes a view: the scores of one row, or rows of them and the number of one
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<4>>, node<"y", linear<3>, "x">, output<"y">>;

int use(const inference<model>& run) {
#ifdef MISTAKE
  return argmax(run);
#else
  return argmax(get<"y">(run), 0);
#endif
}
