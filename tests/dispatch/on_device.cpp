// The same as recurrent.cpp, on Thrust's device.
#include "recurrent.hpp"
#include <tenon/on_device.hpp>

#include <cmath>
#include <cstddef>
#include <tuple>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

using recurrent_network = graph<"recurrent", input<"x", features<3>, steps<7>>, node<"states", lstm<40>, "x">,
                                output<"states.final">>;

answers FUNCTION() {
  std::vector<float> x(5 * 7 * 3);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = std::sin(static_cast<float>(k));
  const parameters<recurrent_network> theta(seed{1});
  answers all{};
  inference<recurrent_network, batch<5>, on<backend::thrust_device>> whole;
  const auto states = whole(theta, view<const float>(x.data(), {5, 7, 3}, {21, 3, 1}));
  for (int r = 0; r < 5; ++r)
    for (int k = 0; k < 40; ++k) all.inference[r * 40 + k] = states(r, k);
  return all;
}
