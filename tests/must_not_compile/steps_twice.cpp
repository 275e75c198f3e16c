// Two bounds of one axis.
// expect(g++): the session\'s options say steps<bound> twice; keep one of them
// expect(clang): "the session\'s options say"
// expect(clang): "steps<bound> twice; keep one of"
// expect(clang): "them"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", gru<4>, "x">, output<"y">>;

#ifdef MISTAKE
using session = inference<model, steps<3>, batch<2>, steps<4>>;
#else
using session = inference<model, steps<4>, batch<2>>;
#endif
void use(session& run, const parameters<model>& theta) { run.run(theta); }
