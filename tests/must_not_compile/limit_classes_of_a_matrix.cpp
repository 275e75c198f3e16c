// The weight of the scores, where their bias is expected.
// expect(g++): limit_classes writes to the bias of the scores, and \'logits.weight\' is a matrix; name the vector: logits.bias
// expect(clang): "limit_classes writes to the bias"
// expect(clang): "of the scores, and \'logits.weight\'"
// expect(clang): "is a matrix; name the vector:"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<4>>, node<"logits", linear<9>, "x">, output<"logits">>;
void use(parameters<model>& theta) {
#ifdef MISTAKE
  limit_classes<"logits.weight">(theta, 7);
#else
  limit_classes<"logits.bias">(theta, 7);
#endif
}
