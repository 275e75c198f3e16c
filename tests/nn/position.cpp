// The laws of positions, learned and sinusoidal.
#include "tenon/nn/position.hpp"

#include "support/graphs.hpp"
#include "support/laws.hpp"
#include "support/sequences.hpp"

#include <cmath>
#include <vector>

namespace tenon::test {
using namespace nn;

TEST_CASE("learned positions") {
  check_laws<meeting_itself<learned_positions<4>, 3>>();
  check_laws<meeting_itself<learned_positions<2>, 1>>();  // steps from the bound on get nothing
}
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
