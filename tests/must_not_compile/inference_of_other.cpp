// Another graph's parameters: both are named.
// expect(g++): these are the parameters of graph \'other\', the session runs graph \'model\'; pass parameters<graph>, of the same graph
// expect(clang): "these are the parameters of graph"
// expect(clang): "\'other\', the session runs graph"
// expect(clang): "\'model\'; pass parameters<graph>,"
// expect(clang): "of the same graph"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
using other = graph<"other", input<"x", features<8>>, node<"y", linear<5>, "x">, output<"y">>;

#ifdef MISTAKE
void use(const parameters<other>& theta, inference<model>& run) { run.run(theta); }
#else
void use(const parameters<model>& theta, inference<model>& run) { run.run(theta); }
#endif
