// Classes that were read as float.
// expect(g++): input \'target\': tokens are whole numbers, got float; give the class of each row as an int: targets are not one-hot
// expect(clang): "input \'target\': tokens are whole"
// expect(clang): "numbers, got float; give the class"
// expect(clang): "of each row as an int: targets are"
// expect(clang): "not one-hot"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;

#ifdef MISTAKE
void use(trainer<model, losses::cross_entropy<"logits">, optimizers::adam>& train,
         const std::vector<float>& y) {
  set_input<"target">(train, y);
}
#else
void use(trainer<model, losses::cross_entropy<"logits">, optimizers::adam>& train,
         const std::vector<int>& y) {
  set_input<"target">(train, y);
}
#endif
