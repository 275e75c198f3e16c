// The name of an output where the number of a row stands.
// expect: argmax takes a view: the scores of one row, or rows of them and the number of one
#include <tenon/tenon.hpp>

using namespace tenon;

int use(view<const float, 2> logits) {
#ifdef MISTAKE
  return argmax(logits, "logits");
#else
  return argmax(logits, 0);
#endif
}
