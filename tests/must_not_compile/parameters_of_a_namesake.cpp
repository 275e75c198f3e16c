// The parameters of another graph of the same name.
// expect(g++): these are the parameters of graph \'model\', the session runs another graph of this name; pass parameters<graph>, of the same graph
// expect(clang): "these are the parameters of graph"
// expect(clang): "\'model\', the session runs another"
// expect(clang): "graph of this name; pass"
// expect(clang): "parameters<graph>, of the same"
// expect(clang): "graph"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
using other = graph<"model", input<"x", features<8>>, node<"y", linear<5>, "x">, output<"y">>;

#ifdef MISTAKE
void use(const parameters<other>& theta, inference<model>& run) { run.run(theta); }
#else
void use(const parameters<model>& theta, inference<model>& run) { run.run(theta); }
#endif
