// Streams in blocks on the CUDA backend, in the emulation.
#include "tenon/backend/cuda/cuda.hpp"

#include "support/check_blocks.hpp"

namespace tenon::test {

TEST_CASE("blocks of steps: a loop in one kernel, attention, windows") { check_blocks_on<backend::cuda>(); }

}  // namespace tenon::test
