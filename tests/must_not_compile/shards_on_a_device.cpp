// A batch is cut for threads, and a device is one.
// expect(g++): shards<2> is for threads, and a device takes the whole batch at once; leave the option out
// expect(clang): "shards<2> is for threads, and a"
// expect(clang): "device takes the whole batch at"
// expect(clang): "once; leave the option out"
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
