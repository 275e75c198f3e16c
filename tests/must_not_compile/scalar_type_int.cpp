// A session that computes in whole numbers.
// expect(g++): scalar_type<int> is not a floating-point type; a session computes in float or double
// expect(clang): "scalar_type<int> is not a"
// expect(clang): "floating-point type; a session"
// expect(clang): "computes in float or double"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;

#ifdef MISTAKE
using session = inference<model, scalar_type<int>>;
#else
using session = inference<model, scalar_type<float>>;
#endif
void use(session& run, const parameters<model>& theta) { run.run(theta); }
