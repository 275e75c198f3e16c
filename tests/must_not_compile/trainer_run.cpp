// A trainer run like inference.
// expect(g++): trainers and differentiation have no run; write step(), or forward(theta)
// expect(clang): "trainers and differentiation have"
// expect(clang): "no run; write step(), or"
// expect(clang): "forward(theta)"
#include <tenon/tenon.hpp>

using namespace tenon;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
using training = trainer<model, cross_entropy<"logits">, adam, batch<32>>;
void use([[maybe_unused]] training& run, const parameters<model>& theta,
         [[maybe_unused]] view<const float> x) {
#ifdef MISTAKE
  run.run(theta);
#else
  run.input<"x">(x), run.forward(theta);
#endif
}
