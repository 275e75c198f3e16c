// Steps of a stream are not captured.
// expect(g++): captured is for an inference or a trainer; leave it out
// expect(clang): "captured is for an inference or a"
// expect(clang): "trainer; leave it out"
#include <tenon/tenon.hpp>

namespace workshop {
struct device : tenon::backend::reference {};
void* allocate(device, std::size_t);
void release(device, void*);
void copy_in(device, const void*, void*, std::size_t);
void copy_out(device, const void*, void*, std::size_t);
int graphs_of(device);
}  // namespace workshop

using namespace tenon;
using namespace tenon::nn;

using model =
    graph<"model", input<"x", features<8>, steps<6>>, node<"states", gru<4>, "x">, output<"states">>;
#ifdef MISTAKE
streaming<model, on<workshop::device>, captured>* live;
void use() { live->reset(); }
#else
streaming<model, on<workshop::device>>* live;
void use() { live->reset(); }
#endif
