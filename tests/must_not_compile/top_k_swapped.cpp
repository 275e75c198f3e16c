// The largest scores, with the count in front.
// expect(g++): top_k takes the scores of one row, then how many of them: top_k(get<\'logits\'>(session)[row], 5)
// expect(clang): error: top_k takes the scores of one row, then how many of them: top_k(get<'logits'>(session)[row], 5)
#include <tenon/tenon.hpp>

using namespace tenon;

auto use(view<const float, 2> logits) {
#ifdef MISTAKE
  return top_k(3, logits[0]);
#else
  return top_k(logits[0], 3);
#endif
}
