// An input without a column.
// expect(g++): input \'target\' has no column; the columns are \'x\'
// expect(clang): "input \'target\' has no column; the"
// expect(clang): "columns are \'x\'"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<32>>;
void use(training& train, const std::vector<std::vector<float>>& x, [[maybe_unused]] const std::vector<int>& classes) {
#ifdef MISTAKE
  fit(train, data_set(column<"x">(x)));
#else
  fit(train, data_set(column<"x">(x), column<"target">(classes)));
#endif
}
