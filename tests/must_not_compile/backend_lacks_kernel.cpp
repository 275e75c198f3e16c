// A backend of one's own without the products that a layer needs.
// expect(g++): node \'logits\': backend \'silent\' has no kernel \'matmul\'; derive its tag from backend::reference, which has them all
// expect(clang): "node \'logits\': backend \'silent\'"
// expect(clang): "has no kernel \'matmul\'; derive its"
// expect(clang): "tag from backend::reference, which"
// expect(clang): "has them all"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

struct silent {};
struct quiet : backend::reference {};

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;

#ifdef MISTAKE
using session = inference<model, on<silent>>;
#else
using session = inference<model, on<quiet>>;
#endif
void use(session& run, const parameters<model>& theta) { run.run(theta); }
