// Sources side by side: the numbers of each in the right place, rows beside sequences, and the gradients of earlier nodes.
#include "tenon/nn/concatenate.hpp"

#include "tenon/engine/session/session.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/gradient_check.hpp"

#include <doctest/doctest.h>

#include <array>
#include <vector>

namespace tenon::test {
using namespace nn;

template <class G, class... Inputs>
std::vector<float> shown(int rows, const Inputs&... inputs) {
  const parameters<G> theta(zeros{});
  inference<G, batch<3>> model(theta);
  std::vector<float> all;
  for (float v : model(inputs...)) all.push_back(v);
  CHECK(model.rows() == rows);
  return all;
}

TEST_CASE("two rows of different width") {
  using two = graph<"two", input<"a", features<2>>, input<"b", features<1>>, node<"y", concatenate, "a", "b">,
                    output<"y">>;
  CHECK(shown<two>(2, std::vector<std::array<float, 2>>{{1, 2}, {3, 4}}, std::vector<float>{5, 6}) ==
        std::vector<float>{1, 2, 5, 3, 4, 6});
}
TEST_CASE("a row beside a sequence is there at each of its steps") {
  using mixed = graph<"mixed", input<"a", features<1>, steps<3>>, input<"b", features<2>>,
                      node<"y", concatenate, "b", "a">, output<"y">>;
  CHECK(shown<mixed>(1, std::vector<std::vector<std::array<float, 1>>>{{{7}, {8}}},
                     std::vector<std::array<float, 2>>{{1, 2}}) ==
        std::vector<float>{1, 2, 7, 1, 2, 8, 0, 0, 0});
}
TEST_CASE("as many sources as a node takes, in their order") {
  using many = graph<"many", input<"a", features<1>>, input<"b", features<2>>, node<"c", linear<1>, "a">,
                     node<"y", concatenate, "a", "b", "c", "b", "a", "a", "b", "c", "a", "b">, output<"y">>;
  CHECK(shown<many>(1, std::vector<float>{1}, std::vector<std::array<float, 2>>{{2, 3}}) ==
        std::vector<float>{1, 2, 3, 0, 2, 3, 1, 1, 2, 3, 0, 1, 2, 3});
}
TEST_CASE("gradients reach what is before it") {
  using learned = graph<"learned", input<"x", features<3>, steps<4>>, input<"b", features<2>>,
                        node<"p", chain<linear<2>, activation::tanh>, "x">, node<"q", linear<3>, "b">,
                        node<"r", gru<2>, "x">, node<"y", concatenate, "p", "q", "r">,
                        node<"z", linear<2>, "y">, output<"z">>;
  const std::vector<std::vector<std::array<float, 3>>> x{{{0.1f, 0.2f, -0.3f}, {1, -1, 0.5f}},
                                                         {{0.4f, 0, 2}}};
  const std::vector<std::array<float, 2>> b{{1, -2}, {0.5f, 0.25f}};
  const std::vector<std::vector<std::array<float, 2>>> target{{{1, 0}, {0, 1}}, {{-1, 2}}};
  const reports::gradients report = check_gradients<learned, losses::mse<"z">, 2>([&](auto& run) {
    set_input<"x">(run, x);
    set_input<"b">(run, b);
    set_input<"target">(run, target);
  });
  CHECK(report);
}

}  // namespace tenon::test
