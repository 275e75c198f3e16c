// Parameters are saved, without the header that does it.
// expect(g++): save takes parameters and a path, as in save(theta, \'model.safetensors\'), and is in a header of its own: #include <tenon/io.hpp>
// expect(clang): error: save takes parameters and a path, as in save(theta, 'model.safetensors'), and is in a header of its own: #include <tenon/io.hpp>
// alone: which headers it includes is the mistake
#include <tenon/tenon.hpp>
#ifndef MISTAKE
#  include <tenon/io.hpp>
#endif

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
void use(const parameters<model>& theta) { save(theta, "model.safetensors"); }
