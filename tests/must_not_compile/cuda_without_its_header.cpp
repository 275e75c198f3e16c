// A backend of a device, without the header that has it.
// expect(g++): the backends of a device are in a header of their own; #include <tenon/on_device.hpp>
// expect(clang): "the backends of a device are in a"
// expect(clang): "header of their own; #include"
// expect(clang): "<tenon/on_device.hpp>"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
#ifdef MISTAKE
using session = inference<model, batch<4>, on<backend::cuda>>;
#else
using session = inference<model, batch<4>, on<backend::cpu>>;
#endif
void use(const parameters<model>& theta) { session s(theta); }
