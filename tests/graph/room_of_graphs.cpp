// TENON_ROOM_OF_GRAPHS: a graph with more inputs and time axes than usual is laid out, and runs.
#define TENON_ROOM_OF_GRAPHS 2
#include "tenon/engine/session/session.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace tenon::test {
namespace {
using namespace nn;

template <int N>
inline constexpr char letter[]{'a' + N, '\0'};
template <class>
struct copies;
template <int... N>
struct copies<std::integer_sequence<int, N...>> {
  using type = graph<"copies", input<ir::text(letter<N>), features<1>, steps<3, ir::text(letter<N>)>>...,
                     output<ir::text(letter<N>)>...>;
};
using model = copies<std::make_integer_sequence<int, 20>>::type;
static_assert(fits<model> && network_of<model>.axes.size == 20);

TEST_CASE("twenty inputs on axes of their own") {
  const parameters<model> theta;
  inference<model, steps<2, "t">> run(theta);
  using sequence = std::vector<std::vector<float>>;
  [&]<int... N>(std::integer_sequence<int, N...>) {
    (set_input<ir::text(letter<N>)>(run, std::vector<sequence>{{{float(N)}, {float(N + 1)}}}), ...);
  }
  (std::make_integer_sequence<int, 20>{});
  run.run();
  CHECK(get<"a">(run)(0, 1, 0) == 1);
  CHECK(get<"t">(run)(0, 0, 0) == 19);
}

}  // namespace
}  // namespace tenon::test
