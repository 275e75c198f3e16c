// The laws of positions, learned and sinusoidal.
#include "tenon/nn/position.hpp"

#include "support/graphs.hpp"
#include "support/laws.hpp"
#include "support/sequences.hpp"
#include "tenon/nn/chain.hpp"
#include "tenon/nn/unfold.hpp"

#include <cmath>
#include <vector>

namespace tenon::test {
using namespace nn;

TEST_CASE("learned positions") {
  check_laws<meeting_itself<learned_positions<4>, 3>>();
  check_laws<meeting_itself<learned_positions<6>, 1>>();  // vectors that no step reads
}
// A vector for each step, and for each place of a grid.
template <int Bound>
using on_places = graph<"on places", input<"x", features<2>, grid<2, 3>>,
                        node<"y", learned_positions<Bound>, "x">, output<"y">>;
template <int Bound>
using on_windows = graph<"on windows", input<"x", features<2>, steps<8>>,
                         node<"y", chain<unfold<2, stride<2>>, learned_positions<Bound>>, "x">, output<"y">>;
static_assert(fits<meeting_itself<learned_positions<4>, 3>> &&
              !fits<meeting_itself<learned_positions<3>, 3>>);
static_assert(fits<on_places<6>> && !fits<on_places<5>>);
static_assert(fits<on_windows<4>> && !fits<on_windows<3>>);
TEST_CASE("sines of positions") {
  check_laws<meeting_itself<sinusoidal_positions<6>, 6>>();
  using G = meeting_itself<sinusoidal_positions<8>, 8, 300>;
  inference<G> run;
  const std::vector<float> zeros(300 * 8);
  set_input<"x">(run, view<const float>(zeros.data(), {1, 300, 8}, {2400, 8, 1}));
  run.run(parameters<G>(seed{1}));
  for (int t : {0, 1, 7, 299})
    for (int i = 0; i < 4; ++i) {
      const double angle = t * std::pow(10000.0, -2.0 * i / 8);
      CHECK(std::abs(static_cast<double>(get<"y">(run)(0, t, i)) - std::sin(angle)) < 3e-5);
      CHECK(std::abs(static_cast<double>(get<"y">(run)(0, t, 4 + i)) - std::cos(angle)) < 3e-5);
    }
}

}  // namespace tenon::test
