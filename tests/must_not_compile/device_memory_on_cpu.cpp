// What is in the memory of a device, for a session that runs on the CPU.
// expect(g++): input \'x\' is given in the memory of a device, and the session reads the program\'s; write on<backend::thrust_device>
// expect(clang): "input \'x\' is given in the memory"
// expect(clang): "of a device, and the session reads"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;

void use(inference<model>& run, const float* there) {
#ifdef MISTAKE
  run(backend::on_device(there, {1, 8}));
#else
  run(view<const float>(there, {1, 8}));
#endif
}
