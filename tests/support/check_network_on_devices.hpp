// check_network_on_devices<G, Objective>: a network on Thrust's device and on the CUDA backend, both on the processor, against the reference in double.
#pragma once

#include "backend/thrust/fenced.hpp"
#include "support/check_network.hpp"
#include "tenon/backend/cuda/cuda.hpp"

namespace tenon::test {

template <concepts::Graph G, class Objective = void>
void check_network_on_devices() {
  constexpr int rows = 5, T = network_of<G>.axes.size > 0 ? network_of<G>.axes[0].bound : 1;
  constexpr double largest = 0.4;
  const sample<G, Objective> mixed({T - 1, 0, T, 1, 2}, 1), full(std::vector<int>(rows, T), 2);
  trial<oracle, G, rows + 1, Objective> exact(9, largest);
  const auto check = [&](const char* backend, auto& on_device) {
    CAPTURE(std::string(backend));
    for (const auto* s : {&full, &mixed}) {
      const findings got = on_device(*s);
      check_close(exact(*s), got, 1e-4);
      check_same(got, on_device(*s));
    }
    check_same(on_device(mixed), on_device(mixed.padded_with({not_a_number, -7})));
  };
  trial<device<float>, G, rows + 1, Objective> with_thrust(9, largest);
  check("thrust", with_thrust);
  trial<machine<backend::cuda, float>, G, rows + 1, Objective> with_cuda(9, largest);
  check("cuda", with_cuda);
}

}  // namespace tenon::test
