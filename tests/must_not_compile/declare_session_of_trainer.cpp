// A trainer, whose data are declared with it, as a session.
// alone: it declares in the namespace tenon
// expect(g++): TENON_DECLARE_SESSION takes an inference, a streaming or a differentiation, and training is none
// expect(clang): TENON_DECLARE_SESSION takes an inference, a streaming or a differentiation, and training is none
#include <tenon/tenon.hpp>

using model = tenon::graph<"model", tenon::input<"x", tenon::features<3>>,
                           tenon::node<"y", tenon::nn::linear<2>, "x">, tenon::output<"y">>;
using training = tenon::trainer<model, tenon::losses::mse<"y">, tenon::optimizers::sgd>;
using running = tenon::inference<model>;

#ifdef MISTAKE
TENON_DECLARE_SESSION(training);
#else
TENON_DECLARE_SESSION(running);
#endif
