// The norm for clipping gradients: squares are added up in blocks. The rest of clipping is Thrust's.
#pragma once

#include "tenon/backend/cuda/sums.hpp"
#include "tenon/backend/cuda/tag.hpp"
#include "tenon/backend/thrust/clip.hpp"

namespace tenon::inline v0_1::backend::inline TENON_DEVICE {

template <class T>
void sum_squares(cuda, std::ptrdiff_t count, const T* x, bool continues, run_numbers* numbers) {
  cuda_detail::sum_in_blocks(count, thrust_detail::square_of_number<T>{x},
                             thrust_detail::add_squares{numbers, continues});
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE
