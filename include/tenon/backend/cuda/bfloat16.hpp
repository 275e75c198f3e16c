// Weights of stages and loops stored as bfloat16: the same kernels read half the bytes.
#pragma once

#include "tenon/backend/cuda/loop.hpp"
#include "tenon/backend/thrust/bfloat16.hpp"

#include <concepts>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE {

// The same bytes hold twice as many weights. 512 fewer: the states of a block's rows stay in float, and more weights come with more states.
// Blocks do not share units: no card has compared this with a launch for each step, which reads half the bytes.
template <std::derived_from<cuda> Device>
constexpr loop_limits limits_of_loops(with_bfloat16<Device>, int rows) {
  loop_limits limits = limits_of_loops(Device{}, rows);
  limits.weights = 2 * limits.weights - 512;
  limits.blocks = 0;
  return limits;
}

template <int Width, int Depth, std::derived_from<cuda> Device>
constexpr long packed_stage_size(with_bfloat16<Device>, const stage_view& stage,
                                 const stage_product& product) {
  return thrust_detail::floats_for(packed_stage_size<Width, Depth>(Device{}, stage, product));
}
template <int Width, int Depth, std::derived_from<cuda> Device>
void pack_stage(with_bfloat16<Device>, no_layout layout, const stage_product& product, const float* w,
                float* packed) {
  pack_stage<Width, Depth>(Device{}, layout, product, w, thrust_detail::as_bfloat16(packed));
}

template <class Stage, std::derived_from<cuda> Device>
void stage(with_bfloat16<Device>, int steps, int rows, const stage_rows<float>* x, const float* packed,
           const operand<const float>* loads, const operand<float>* stores, bool backwards) {
  constexpr int products = Stage::stage.products.size;
  stage_rows<float, tenon::detail::bfloat16> rounded[products];
  for (int p = 0; p < products; ++p)
    rounded[p] = {x[p].data, x[p].row, x[p].step, thrust_detail::as_bfloat16(x[p].packed)};
  stage<Stage>(Device{}, steps, rows, rounded, packed, loads, stores, backwards);
}
template <class Loop, std::derived_from<cuda> Device>
void stage_loop(with_bfloat16<Device>, const loop_steps& steps, int rows, const int* lengths,
                const operand<const float>* states, const float* const* weights, const float* vectors,
                const operand<const float>* loads, const operand<float>* stores) {
  constexpr int products = Loop::stage.products.size;
  const tenon::detail::bfloat16* rounded[products];
  for (int p = 0; p < products; ++p) rounded[p] = thrust_detail::as_bfloat16(weights[p]);
  stage_loop<Loop>(Device{}, steps, rows, lengths, states, rounded, vectors, loads, stores);
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE
