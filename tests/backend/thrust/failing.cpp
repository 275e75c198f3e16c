// The message of a device's failure names node and kernel; when memory runs out, it says how much is free.
#include "backend/thrust/fenced.hpp"
#include "tenon/nn/linear.hpp"
#include "tenon/nn/recurrent.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace workshop {

// A device that stops working in the middle of a run, like a device that a kernel was not compiled for.
struct broken : tenon::test::fenced {};
template <class Kernel, class T>
void map(broken, int, int, const tenon::backend::operand<const T>*, const tenon::backend::operand<T>*) {
  throw tenon::device_error("map: no kernel image is available for execution on the device");
}
struct small : tenon::test::fenced {};
inline void* allocate(small, std::size_t) { throw std::bad_alloc(); }
inline std::size_t free_bytes(small) { return 1000; }

}  // namespace workshop

namespace tenon::test {
using namespace nn;

using model = graph<"model", input<"x", features<3>, steps<4>>, node<"states", gru<5>, "x">,
                    node<"y", linear<2>, "states.final">, output<"y">>;

TEST_CASE("a failure names node and kernel") {
  const parameters<model> theta(seed{1});
  inference<model, on<workshop::broken>> run(theta);
  const std::vector<float> x{1, 2, 3};
  CHECK_THROWS_WITH_AS(run(view<const float>(x.data(), {1, 1, 3}, {3, 3, 1})),
                       "node 'states': map: no kernel image is available for execution on the device",
                       device_error);
}
TEST_CASE("too little memory says how much is needed, and how much there is") {
  constexpr std::size_t needed = inference<model, on<workshop::small>>::workspace_bytes -
                                 inference<model, on<workshop::small>>::packed_bytes;
  CHECK_THROWS_WITH_AS((inference<model, on<workshop::small>>()),
                       ("too little memory: " + std::to_string(needed) +
                        " bytes for the workspace of inference of graph 'model', and the device has 1000")
                           .c_str(),
                       memory_error);
}

}  // namespace tenon::test
