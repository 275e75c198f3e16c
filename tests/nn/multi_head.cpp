// The laws of multi-head attention: with fewer steps than a loop processes at once, and with more.
#include "tenon/nn/multi_head.hpp"

#include "support/graphs.hpp"
#include "support/guarded_rows.hpp"
#include "support/laws.hpp"
#include "support/sequences.hpp"

#include <bit>
#include <vector>

namespace tenon::test {
using namespace nn;

TEST_CASE("multi-head attention to another sequence") {
  check_laws<crossing<multi_head<4, 2>, 4, 4, 35, 3>>();
  check_laws<crossing<multi_head<6, 3>, 2, 5, 3, 4>>();
}
TEST_CASE("multi-head attention to itself") {
  check_laws<meeting_itself<multi_head<4, 2, is_causal>, 4, 18>>();
  check_laws<meeting_itself<multi_head<3, 1>, 3, 1>>();
}
// The first steps give the same bits whatever the later ones are, however large the scores: as large as the largest number, and
// minus infinity, where a product overflows.
TEST_CASE("causal multi-head attention does not see later steps, whatever the scores") {
  using seeing = meeting_itself<multi_head<4, 2, is_causal>, 4, 6>;
  constexpr int steps = 6, known = 3, features = 4;
  for (const float size : {1.0f, 1e6f, 1e15f, 1e18f, 1e19f, 1e21f}) {
    CAPTURE(size);
    parameters<seeing> theta(seed{5});
    noise random(2);

    inference<seeing, batch<2>> run(theta);
    std::vector<float> x(2 * steps * features);
    for (int k = 0; k < steps * features; ++k) {
      x[std::size_t(k)] = size * static_cast<float>(random());
      x[std::size_t(k + steps * features)] =
          k < known * features ? x[std::size_t(k)] : size * static_cast<float>(random());
    }
    const auto y = run(view<const float>(x.data(), {2, steps, features}, {steps * features, features, 1}));
    for (int t = 0; t < known; ++t)
      for (int j = 0; j < features; ++j)
        CHECK(std::bit_cast<int>(float(y(0, t, j))) == std::bit_cast<int>(float(y(1, t, j))));
  }
}
TEST_CASE("multi-head attention of one feature") {
  check_laws<meeting_itself<multi_head<1, 1, is_causal>, 1, 2>>();
  static_assert(fits<crossing<multi_head<1, 1>, 1, 1, 3, 4>>);
}

using reading_weights =
    graph<"reading weights", input<"q", features<3>, steps<4, "target">>,
          input<"m", features<2>, steps<3, "source">>, node<"y", multi_head<4, 2>, "q", "m">,
          node<"z", linear<3>, "y.weights">, output<"y">, output<"z">>;
TEST_CASE("its weights, read by another node") { check_laws<reading_weights>(); }

}  // namespace tenon::test
