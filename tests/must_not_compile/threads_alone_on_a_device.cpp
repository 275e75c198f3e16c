// The same without numbers of the rule.
// expect(g++): threads share work on a CPU, and a device takes the whole batch at once; leave threads out
// expect(clang): threads share work on a CPU, and a device takes the whole batch at once; leave threads out
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
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<64>, on<machine>>;
void use(parameters<model>& theta) { training(theta, threads{2}); }
