// io::load, though load is a function of namespace tenon.
// expect(g++): load and save are in namespace tenon and take parameters and a path: #include <tenon/io.hpp>; load(theta, \'model.safetensors\')
// expect(clang): load and save are in namespace tenon and take parameters and a path: #include <tenon/io.hpp>; load(theta, 'model.safetensors')
#include <tenon/tenon.hpp>

#include <tenon/io.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;

void read(parameters<model>& theta) {
#ifdef MISTAKE
  io::load("model.safetensors", theta);
#else
  load(theta, "model.safetensors");
#endif
}
