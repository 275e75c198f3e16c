// Threads for a session on a device.
// expect(g++): a session takes only its parameters and, on a CPU, threads{2}; its options are part of its type: inference<graph, batch<32>>, streaming<graph, batch<32>>
// expect(clang): a session takes only its parameters and, on a CPU, threads{2}; its options are part of its type: inference<graph, batch<32>>, streaming<graph, batch<32>>
#include <tenon/tenon.hpp>

namespace workshop {
struct device : tenon::backend::reference {};
void* allocate(device, std::size_t);
void release(device, void*);
void copy_in(device, const void*, void*, std::size_t);
void copy_out(device, const void*, void*, std::size_t);
}  // namespace workshop

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
#ifdef MISTAKE
using machine = workshop::device;
#else
using machine = backend::cpu;
#endif
void use(const parameters<model>& theta) { inference<model, batch<64>, on<machine>>(theta, threads{2}); }
