// The parameters of a layer, which belongs to no graph yet.
// expect(g++): \'recurrent<cells::lstm, hidden<4>>\' is not a graph; write graph<\"name\", input<..>, node<..>, output<..>>
// expect(clang): "\'recurrent<cells::lstm,"
// expect(clang): "hidden<4>>\' is not a graph; write"
// expect(clang): "graph<\"name\", input<..>, node<..>,"
// expect(clang): "output<..>>"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using model = lstm<4>;
#else
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", lstm<4>, "x">, output<"y">>;
#endif
void use(parameters<model>& theta) { theta.initialize(seed{1}); }
