// A trainer run like inference.
// expect(g++): a trainer has no run; write step()
// expect(clang): a trainer has no run; write step()
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<32>>;
void use(training& run, [[maybe_unused]] const parameters<model>& theta,
         [[maybe_unused]] view<const float> x) {
#ifdef MISTAKE
  run.run(theta);
#else
  set_input<"x">(run, x);
  run.step();
#endif
}
