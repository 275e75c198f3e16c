// Parameters of another graph.
// expect(g++): these are not the parameters of the session\'s graph; hand over parameters<graph>, of the same graph
// expect(clang): "these are not the parameters of"
// expect(clang): "the session\'s graph; hand over"
// expect(clang): "parameters<graph>, of the same"
// expect(clang): "graph"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;

using model = graph<"model", input<"x", features<8>, steps<6>>, node<"states", gru<4>, "x">,
                    output<"states">>;
using other = graph<"other", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;

#ifdef MISTAKE
void use(inference<model>& run, const parameters<model>& theta, const parameters<other>& spare) {
  run.run(theta), run.run(spare);
}
#else
void use(inference<model>& run, const parameters<model>& theta, const parameters<other>& spare) {
  run.run(theta), static_cast<void>(spare);
}
#endif
