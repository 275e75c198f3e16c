// Parameters of double in a call of a session of float.
// expect(g++): the parameters are double, the session computes in float; write scalar_type<double>, or parameters<graph, float>
// expect(clang): "the parameters are double, the"
// expect(clang): "session computes in float; write"
// expect(clang): "scalar_type<double>, or"
// expect(clang): "parameters<graph, float>"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>, steps<6>>, node<"states", gru<4>, "x">,
                    output<"states">>;

#ifdef MISTAKE
void use(inference<model>& run, const parameters<model, double>& d, const parameters<model>& f,
         view<const float> x) {
  run(d, x);
  run(f, x);
}
#else
void use(inference<model>& run, const parameters<model, double>& d, const parameters<model>& f,
         view<const float> x) {
  static_cast<void>(d);
  run(f, x);
}
#endif
