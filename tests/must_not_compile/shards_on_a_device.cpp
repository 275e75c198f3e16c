// A batch that is cut on a device, without the header for it.
// expect(g++): shards<2> on a device needs a header that is not included; include <tenon/on_device.hpp>
// expect(clang): "shards<2> on a device needs a"
// expect(clang): "header that is not included;"
// expect(clang): "include <tenon/on_device.hpp>"
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
void use(trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<32>, on<workshop::device>, shards<2>>& train) { train.step(); }
#else
void use(trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<32>, on<workshop::device>>& train) { train.step(); }
#endif
