// Parameters of another graph.
// expect(g++): these are the parameters of graph \'other\', the session runs graph \'model\'; pass parameters<graph>, of the same graph
// expect(clang): "these are the parameters of graph"
// expect(clang): "\'other\', the session runs graph"
// expect(clang): "\'model\'; pass parameters<graph>,"
// expect(clang): "of the same graph"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>, steps<6>>, node<"states", gru<4>, "x">,
                    output<"states">>;
using other = graph<"other", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;

#ifdef MISTAKE
void use(inference<model>& run, const parameters<model>& theta, const parameters<other>& spare) {
  run.run(theta);
  run.run(spare);
}
#else
void use(inference<model>& run, const parameters<model>& theta, const parameters<other>& spare) {
  run.run(theta);
  static_cast<void>(spare);
}
#endif
