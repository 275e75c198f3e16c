// A column for an input that the graph does not have.
// expect(g++): the graph has no input \'traget\'; did you mean \'target\'?
// expect(clang): "the graph has no input \'traget\';"
// expect(clang): "did you mean \'target\'?"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<32>>;
void use(training& train, const std::vector<std::vector<float>>& x, const std::vector<int>& classes) {
#ifdef MISTAKE
  fit(train, data_set(column<"x">(x), column<"traget">(classes)));
#else
  fit(train, data_set(column<"x">(x), column<"target">(classes)));
#endif
}
