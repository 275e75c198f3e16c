// An option that sessions do not have.
// expect(g++): \'double\' is not an option of a session; options: batch<rows>, steps<bound>, block<steps>, on<backend>,
// expect(clang): "\'double\' is not an option of a"
// expect(clang): "session; options: batch<rows>,"
// expect(clang): "steps<bound>, block<steps>,"
// expect(clang): "on<backend>, scalar_type<T>,"
// expect(clang): "input_gradients, captured; of a"
// expect(clang): "trainer shards<parts>, in"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>, steps<6>>, node<"states", gru<4>, "x">,
                    output<"states">>;

#ifdef MISTAKE
inference<model, double> run;
#else
inference<model, scalar_type<double>> run;
#endif
