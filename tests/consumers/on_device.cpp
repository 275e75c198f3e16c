// A user's program for a GPU: one header, nothing linked. As a .cpp with THRUST_DEVICE_SYSTEM_OMP it runs on the CPU.
// It trains briefly on both, from Thrust's vectors, and compares.
#include <tenon/on_device.hpp>

#include <thrust/device_vector.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

using parity =
    graph<"parity", input<"bits", token<2>, steps<5>>, node<"embedded", embedding<2, 4>, "bits">,
          node<"states", gru<8>, "embedded">, node<"logits", linear<2>, "states.final">, output<"logits">>;

using squares = differentiation<parity, losses::mse<"logits">, batch<8>, on<backend::thrust_device>>;

template <class Backend>
std::vector<float> losses_of(const auto& bits, const auto& targets) {
  parameters<parity> theta(seed{1});
  trainer<parity, losses::cross_entropy<"logits">, optimizers::adam, batch<8>, on<Backend>> learner(theta);
  std::vector<float> all;
  for (int k = 0; k < 5; ++k) {
    set_input<"bits">(learner, bits);
    set_input<"target">(learner, targets);
    all.push_back(learner.step());
  }
  return all;
}

int main() try {
  std::vector<int> bits, targets;
  for (int r = 0; r < 8; ++r) {
    int sum = 0;
    for (int t = 0; t < 5; ++t) {
      bits.push_back((r * 7 + t * 3) % 5 % 2);
      sum += bits.back();
    }
    targets.push_back(sum % 2);
  }
  const thrust::device_vector<int> there(bits.begin(), bits.end()), answers(targets.begin(), targets.end());
  const auto expected = losses_of<backend::cpu>(view<const int>(bits.data(), {8, 5}), targets);
  const auto got = losses_of<backend::thrust_device>(backend::on_device(there, {8, 5}), answers);
  for (std::size_t k = 0; k < got.size(); ++k) {
    std::printf("step %zu: %.6f on the CPU, %.6f on Thrust's device\n", k, double(expected[k]),
                double(got[k]));
    if (!(std::abs(got[k] - expected[k]) < 1e-4f)) return 1;
  }
  const parameters<parity> theta(seed{1});
  const thrust::device_vector<float> zeros(16);
  squares distance;
  set_input<"bits">(distance, backend::on_device(there, {8, 5}));
  set_input<"target">(distance, backend::on_device(zeros, {8, 2}));
  if (!(distance.forward(theta) > 0)) return 1;
  inference<parity, batch<8>, on<backend::cuda>> in_kernels(theta);  // of the same header
  inference<parity, batch<8>> here(theta);
  const auto y = in_kernels(backend::on_device(there, {8, 5})),
             z = here(view<const int>(bits.data(), {8, 5}));
  for (int r = 0; r < 8; ++r)
    if (!(std::abs(y(r, 1) - z(r, 1)) < 1e-5f)) return 1;
  return got.back() < got.front() ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 77;  // no device
}
