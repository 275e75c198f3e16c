// The largest scores of a whole batch.
// expect(g++): top_k takes the scores of one row, then how many of them: top_k(get<\'logits\'>(session)[row], 5)
// expect(clang): error: top_k takes the scores of one row, then how many of them: top_k(get<'logits'>(session)[row], 5)
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<4>>, node<"y", linear<3>, "x">, output<"y">>;

auto use(const inference<model, batch<8>>& run) {
#ifdef MISTAKE
  return top_k(get<"y">(run), 2);
#else
  return top_k(get<"y">(run)[0], 2);
#endif
}
