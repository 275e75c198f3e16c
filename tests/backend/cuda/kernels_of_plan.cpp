// The CUDA backend has every kernel that a plan may need: its own, or Thrust's.
#include "tenon/backend/cuda/cuda.hpp"
#include "tenon/engine/plan/backend_kernels.hpp"

#include <doctest/doctest.h>

#include <type_traits>

namespace tenon::test {

template <class T>
constexpr bool has_all = [] {
  for (const ir::label& kernel : engine::known_kernels())
    if (!engine::has_kernel<backend::cuda, T>(kernel)) return false;
  return true;
}();
static_assert(has_all<float> && has_all<double>);
static_assert(backend::HasOwnMemory<backend::cuda> &&
              std::is_base_of_v<backend::thrust_device, backend::cuda>);

TEST_CASE("blocks for so many rows") {
  using backend::cuda_detail::blocks_for;
  CHECK(blocks_for(0, 8) == 0);
  CHECK(blocks_for(1, 8) == 1);
  CHECK(blocks_for(8, 8) == 1);
  CHECK(blocks_for(9, 8) == 2);
}

}  // namespace tenon::test
