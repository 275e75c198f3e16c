// A number where the values of a column stand.
// expect(g++): column \'target\': \'int\' cannot be asked for the value of a row; give a vector, a tensor, or a number of rows and a function
// expect(clang): "column \'target\': \'int\' cannot be"
// expect(clang): "asked for the value of a row; give"
// expect(clang): "a vector, a tensor, or a number of"
// expect(clang): "rows and a function"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<32>>;
void use(training& train, [[maybe_unused]] const std::vector<int>& classes, const std::vector<std::vector<float>>& x) {
#ifdef MISTAKE
  fit(train, data_set(column<"x">(x), column<"target">(3)));
#else
  fit(train, data_set(column<"x">(x), column<"target">(classes)));
#endif
}
