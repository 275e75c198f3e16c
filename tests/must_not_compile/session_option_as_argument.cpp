// An option of a session as an argument.
// expect(g++): a session takes only its parameters and, on a CPU, threads{2}; its options are part of its type: inference<graph, batch<32>>, streaming<graph, batch<32>>
// expect(clang): a session takes only its parameters and, on a CPU, threads{2}; its options are part of its type: inference<graph, batch<32>>, streaming<graph, batch<32>>
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;

auto bound_to(const parameters<model>& theta) {
#ifdef MISTAKE
  return inference<model>(theta, batch<32>{});
#else
  return inference<model, batch<32>>(theta);
#endif
}
