// Two sizes of a batch.
// expect(g++): the session\'s options say batch<rows> twice; keep one of them
// expect(clang): "the session\'s options say"
// expect(clang): "batch<rows> twice; keep one of"
// expect(clang): "them"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;

#ifdef MISTAKE
using session = inference<model, batch<2>, batch<3>>;
#else
using session = inference<model, batch<3>>;
#endif
void use(session& run, const parameters<model>& theta) { run.run(theta); }
