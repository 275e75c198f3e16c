// An option of trainers for an evaluation.
// expect(g++): \'shards<2>\' is not an option of a session; options: batch<rows>, steps<bound>, block<steps>, on<backend>, scalar_type<T>, input_gradients, captured; of a trainer shards<parts>
// expect(clang): "\'shards<2>\' is not an option of a"
// expect(clang): "session; options: batch<rows>,"
// expect(clang): "steps<bound>, block<steps>,"
// expect(clang): "on<backend>, scalar_type<T>,"
// expect(clang): "input_gradients, captured; of a"
// expect(clang): "trainer shards<parts>, in"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
#ifdef MISTAKE
evaluation<model, losses::mse<"y">, shards<2>> judge;
#else
evaluation<model, losses::mse<"y">, batch<2>> judge;
#endif
