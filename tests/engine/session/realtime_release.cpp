// Without assertions, a step after a change of the parameters uses the weights packed last, or none.
// flags: -DNDEBUG
#include "tenon/engine/session/session.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

#include <array>
#include <span>
#include <vector>

namespace tenon::test {
using namespace nn;

using sound =
    graph<"release", input<"x", features<1>, steps<64>>, node<"states", gru<6>, "x">, output<"states">>;

TEST_CASE("a stream that was never prepared is silent") {
  const parameters<sound> theta(seed{1});
  streaming<sound, block<4>> live(theta), unbound;
  const std::array<float, 4> x{1, -2, 3, -4};
  for (auto* one : {&live, &unbound}) {
    one->run(std::span<const float, 4>(x));
    const auto y = one->step(std::span<const float, 1>(x.data(), 1));
    for (std::size_t k = 0; k < 6; ++k) CHECK(y(0, k) == 0);
  }
  live.prepare();
  CHECK(live.run(std::span<const float, 4>(x))(0, 3, 0) != 0);
}
TEST_CASE("the weights packed last are used until prepare") {
  parameters<sound> theta(seed{1});
  const parameters<sound> before = theta, after(seed{2});
  streaming<sound, block<4>> live(theta), old(before), fresh(after);
  const std::vector<float> x{1, -2, 3, -4};
  const std::span<const float, 4> samples(x);
  const auto same = [](const auto& y, const auto& z) {
    return std::equal(y.begin(), y.end(), z.begin(), z.end());
  };
  live.prepare();
  theta = after;
  CHECK(same(live.run(samples), old.run(x)));
  live.reset();
  live.prepare();
  CHECK(same(live.run(samples), fresh.run(x)));
}

}  // namespace tenon::test
