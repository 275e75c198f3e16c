// shards<N> on GPUs, with NCCL between as many ranks as there are: the numbers of the CPU, and the same bits for one rank and for all.
// library: nccl
// with: support/ranks_on_cpu.cpp
#include "backend/cuda/ranks.hpp"
#include "tenon/backend/cuda/cuda.hpp"
#include "tenon/distribute/in_process.hpp"
#include "tenon/distribute/nccl.hpp"
#include "tenon/train/trainer/device_shards.hpp"

#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace tenon::test {

std::vector<float> learn_on_gpus(int ranks) {
  std::vector<float> of_first;
  distribute::in_process::run(ranks, [&](distribute::in_process& host) {
    REQUIRE(cudaSetDevice(host.rank()) == cudaSuccess);
    distribute::nccl world(host);
    parameters<ranked_model> theta(seed{1});
    ranked_training<on<backend::cuda>, captured> train(theta, {.learning_rate = 0.05f}, seed{3}, world);
    const std::vector<float> all = learn(train);
    CHECK(train.captured_shapes() > 0);
    if (host.rank() == 0) of_first = all;
  });
  return of_first;
}

TEST_CASE("as many ranks as there are GPUs") {
  int devices = 0;
  REQUIRE(cudaGetDeviceCount(&devices) == cudaSuccess);
  const std::vector<float> expected = learn_on_cpu(), one = learn_on_gpus(1);
  REQUIRE(one.size() == expected.size());
  for (std::size_t k = 0; k < one.size(); ++k) CHECK(std::abs(one[k] - expected[k]) <= 1e-3f);
  const int ranks = std::min(devices, 8);
  MESSAGE(ranks << " of " << devices << " GPUs");
  CHECK((learn_on_gpus(ranks) == one));
}

}  // namespace tenon::test
