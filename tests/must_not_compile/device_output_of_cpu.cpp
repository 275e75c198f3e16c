// An output in the memory of a device, of a session that runs on the CPU.
// expect(g++): the session\'s outputs are in the program\'s memory, and on no device; write on<backend::thrust_device>
// expect(clang): "the session\'s outputs are in the"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;

const float* use(const inference<model>& run) {
#ifdef MISTAKE
  return backend::get_on_device<"y">(run).data();
#else
  return get<"y">(run).data();
#endif
}
