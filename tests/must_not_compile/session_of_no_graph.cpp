// A session of something that is no graph.
// expect(g++): \'int\' is not a graph; write graph<\"name\", input<..>, node<..>, output<..>>
// expect(clang): "\'int\' is not a graph; write"
// expect(clang): "graph<\"name\", input<..>, node<..>,"
// expect(clang): "output<..>>"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
#ifdef MISTAKE
using run = inference<int>;
#else
using run = inference<model>;
#endif
void use(run& session) { session.rows(); }
