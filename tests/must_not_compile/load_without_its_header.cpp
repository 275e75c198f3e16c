// Parameters are loaded, by its name among the functions of files, without the header that does it.
// expect(g++): load takes parameters and a path, as in load(theta, \'model.safetensors\'), and is in a header of its own: #include <tenon/io.hpp>
// expect(clang): error: load takes parameters and a path, as in load(theta, 'model.safetensors'), and is in a header of its own: #include <tenon/io.hpp>
// alone: which headers it includes is the mistake
#include <tenon/tenon.hpp>
#ifndef MISTAKE
#  include <tenon/io.hpp>
#endif

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
void use(parameters<model>& theta) { io::load(theta, "model.safetensors"); }
