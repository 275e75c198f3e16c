// A device is asked for what only the CPU trades.
// expect(g++): a backend on a device trades bfloat16_weights alone; leave out the others
// expect(clang): a backend on a device trades bfloat16_weights alone; leave out the others
#include <tenon/backend/cpu/tag.hpp>
#include <tenon/backend/cuda/tag.hpp>

using namespace tenon;

#ifdef MISTAKE
backend::cuda_with<backend::bfloat16_weights, backend::fast_math> tag;
#else
backend::cuda_with<backend::bfloat16_weights> tag;
#endif
