// A backend of one's own that looks rows up, and adds no gradients to them.
// alone: it adds a backend to the namespace tenon::backend
// expect(g++): node \'embedded\': backend \'backend::reader\' has no kernel \'scatter_add\'; derive its tag from backend::reference, which has them all
// expect(clang): "node \'embedded\': backend"
// expect(clang): "\'backend::reader\' has no kernel"
// expect(clang): "\'scatter_add\'; derive its tag from"
// expect(clang): "backend::reference, which has them"
// expect(clang): "all"
#include <tenon/backend/reference/reference.hpp>

using namespace tenon;
using namespace tenon::nn;

namespace tenon::inline v0_1::backend {
struct reader {};
template <int D, class T>
void gather(reader, int rows, const int* tokens, const T* table, T* out, std::ptrdiff_t out_stride) {
  gather<D>(reference{}, rows, tokens, table, out, out_stride);
}
}  // namespace tenon::inline v0_1::backend

#include <tenon/engine/session/session.hpp>
#include <tenon/nn/embedding.hpp>

using model =
    graph<"model", input<"word", token<10>>, node<"embedded", embedding<10, 8>, "word">, output<"embedded">>;

#ifdef MISTAKE
void use(differentiation<model, void, on<backend::reader>>& run, const parameters<model>& theta) {
  run.forward(theta);
}
#else
void use(inference<model, on<backend::reader>>& run, const parameters<model>& theta) { run.run(theta); }
#endif
