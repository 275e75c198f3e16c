// A layer among the options of a trainer in parts.
// expect(g++): \'linear<3>\' is not an option of a session; options: batch<rows>, steps<bound>, block<steps>, on<backend>, scalar_type<T>, input_gradients
// expect(clang): "\'linear<3>\' is not an option of a"
// expect(clang): "session; options: batch<rows>,"
// expect(clang): "steps<bound>, block<steps>,"
// expect(clang): "on<backend>, scalar_type<T>,"
// expect(clang): "input_gradients, captured; of a"
// expect(clang): "trainer shards<parts>, in"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
#ifdef MISTAKE
using option = linear<3>;
#else
using option = scalar_type<double>;
#endif
void use(
    trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<32>, shards<2>, option>& train) {
  train.step();
}
