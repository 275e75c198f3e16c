// A graph as an argument of its parameters.
// expect(g++): a graph is a type and must be in angle brackets; write parameters<model> theta(seed{1}), inference<model> run(theta)
// expect(clang): "a graph is a type and must be in"
// expect(clang): "angle brackets; write"
// expect(clang): "parameters<model> theta(seed{1}),"
// expect(clang): "inference<model> run(theta)"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;

#ifdef MISTAKE
auto theta() { return parameters(model{}, seed{1}); }
#else
auto theta() { return parameters<model>(seed{1}); }
#endif
