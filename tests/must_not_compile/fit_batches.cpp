// How many rows a batch has, where what runs together is said.
// expect(g++): a number is given for .batches, which says what runs together; write .batches = similar_length(20); how many rows are a batch is an option of the trainer, batch<32>
// expect(clang): "a number is given for .batches,"
// expect(clang): "write .batches ="
// expect(clang): "are a batch is an option of the"
#include <tenon/tenon.hpp>

#include <array>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<32>>;
auto rows() {
  return data_set(column<"x">(9, [](int) { return std::array<float, 8>{}; }),
                  column<"target">(9, [](int r) { return r % 4; }));
}
void use(training& train) {
#ifdef MISTAKE
  fit(train, rows(), {.epochs = 3, .batches = 16});
#else
  fit(train, rows(), {.epochs = 3, .batches = similar_length(16)});
#endif
}
