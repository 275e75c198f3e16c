// An option of trainers given to a session.
// expect(g++): \'shards<2>\' is not an option of a session; options: batch<rows>,
// expect(clang): "\'shards<2>\' is not an option of a"
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
differentiation<model, losses::cross_entropy<"logits">, batch<64>, shards<2>> run;
#else
differentiation<model, losses::cross_entropy<"logits">, batch<64>> run;
#endif
