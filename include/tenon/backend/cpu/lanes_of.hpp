// lanes_of<T, Lanes>: `Lanes` adjacent numbers as the compiler's own vector.
#pragma once

#include "tenon/backend/instruction_set.hpp"

namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET::simd {

template <class T, int Lanes>
struct lanes_of {
  using type [[gnu::vector_size(Lanes * sizeof(T))]] = T;
};

}  // namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET::simd
