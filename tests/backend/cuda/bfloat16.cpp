// Weights stored as bfloat16 in the kernels of the CUDA backend, in the emulation of blocks and threads.
// Bits are compared: the compiler must not fuse a product and a sum in one kernel but not in the other.
// flags: -ffp-contract=off
#include "tenon/backend/cuda/bfloat16.hpp"

#include "backend/thrust/bfloat16.hpp"
#include "support/guarded_rows.hpp"
#include "support/worse.hpp"
#include "tenon/backend/cuda/cuda.hpp"
#include "tenon/backend/reference/product.hpp"
#include "tenon/nn/attention.hpp"
#include "tenon/nn/embedding.hpp"
#include "tenon/nn/linear.hpp"
#include "tenon/nn/multi_head.hpp"
#include "tenon/nn/recurrent.hpp"

#include <limits>
#include <type_traits>
#include <vector>

namespace tenon::test {
using namespace nn;

using backend::cuda;
using rounded = backend::cuda_with<backend::bfloat16_weights>;
struct by_steps : backend::cuda {};  // one kernel for each step of a recurrent layer
constexpr loop_limits limits_of_loops(by_steps, int) { return {}; }
using rounded_by_steps = backend::device_with<by_steps, backend::bfloat16_weights>;

// --- products ---
template <int N, int K>
void check_product(int rows, int gap) {
  CAPTURE(N);
  CAPTURE(K);
  noise random(static_cast<std::uint64_t>(N * 1000 + K + rows));
  guarded_rows<float> w(N, K, K, random), x(rows, K, K + gap, random), y(rows, N, N + gap),
      packed(1, static_cast<int>(packed_size<N, K>(rounded{})));
  std::vector<double> w_ = w.numbers(), x_ = x.numbers(), y_(std::size_t(rows * N));
  for (double& number : w_) number = rounded_to_bfloat16(number);
  pack<N, K>(rounded{}, w.data(), packed.data());
  matmul<N, K>(rounded{}, rows, x.data(), x.stride, packed.data(), y.data(), y.stride);
  matmul<N, K>(backend::reference{}, rows, x_.data(), K, w_.data(), y_.data(), N);
  CHECK(distance(y, y_) <= static_cast<double>(std::numeric_limits<float>::epsilon()) * (K + 8) / 4);
  for (guarded_rows<float>* each : {&w, &x, &y, &packed}) CHECK(each->intact());
}
TEST_CASE("products of an odd number of weights, of whole tiles and of rests") {
  check_product<1, 1>(1, 0);
  check_product<3, 5>(2, 3);
  check_product<64, 48>(32, 0);
  check_product<65, 71>(67, 2);
}
TEST_CASE("a wide tile") {
  using namespace backend::cuda_detail;
  constexpr int rows = 66, columns = 65, depth = 17;
  noise random(4);
  guarded_rows<float> left(rows, depth, 0, random), right(depth, columns, 0, random), out(rows, columns);
  std::vector<tenon::detail::bfloat16> stored;
  for (int k = 0; k < depth; ++k)
    for (int n = 0; n < columns; ++n) stored.emplace_back(right(k, n));
  multiply<wide_tile>(
      tiled_product<float, wide_tile, false, tenon::detail::bfloat16>{
          rows, columns, depth, depth, left.data(), stored.data(), out.data(), left.stride, columns, columns,
          0, false},
      1, "matmul");
  double largest = 0;
  for (int m = 0; m < rows; ++m)
    for (int n = 0; n < columns; ++n) {
      double expected = 0;
      for (int k = 0; k < depth; ++k)
        expected += double(left(m, k)) * rounded_to_bfloat16(double(right(k, n)));
      largest = worse(largest, std::abs(double(out(m, n)) - expected));
    }
  CHECK(largest < 1e-5);
}

// --- sessions ---
using read = graph<"read", input<"tokens", token<7>, steps<5>>, node<"embedded", embedding<7, 3>, "tokens">,
                   node<"states", lstm<5, bidirectional>, "embedded">, node<"again", gru<3>, "states">,
                   node<"logits", linear<3>, "again">, output<"logits">, output<"states.final">>;
TEST_CASE("embedding, LSTM, GRU, linear: all steps in one kernel, and a kernel for each") {
  check_rounded_weights<read, 5, cuda, rounded>();
  check_rounded_weights<read, 5, by_steps, rounded_by_steps>();
  check_rounded_weights<read, 1, cuda, rounded>();
}
using attend =
    graph<"attend", input<"x", features<6>, steps<4>>, node<"y", multi_head<6, 2>, "x">, output<"y">>;
TEST_CASE("the projections of attention") { check_rounded_weights<attend, 3, cuda, rounded>(); }

using large =
    graph<"large", input<"x", features<2>, steps<2>>, node<"states", lstm<100>, "x">, output<"states">>;
TEST_CASE("weights that registers do not hold") {
  using namespace backend::cuda_detail;
  constexpr loop_shape shape = shape_of_loop(100, 4, 200, sizeof(float), false);
  static_assert(terms_kept(terms_of_slice(100, shape.slices), 4, 0, sizeof(float)) <
                terms_of_slice(100, shape.slices));
  check_rounded_weights<large, 3, cuda, rounded>();
}

using streamed = graph<"streamed", input<"x", features<3>, steps<4>>, node<"states", gru<5>, "x">,
                       node<"y", linear<2>, "states">, output<"y">>;
TEST_CASE("a stream") { check_rounded_stream<streamed, 2, cuda, rounded>(); }

// --- the memory it needs ---
using wide = graph<"wide", input<"x", features<32>, steps<4>>, node<"y", lstm<32>, "x">, output<"y">>;
constexpr std::size_t without = inference<wide, on<cuda>>::packed_bytes,
                      with = inference<wide, on<rounded>>::packed_bytes;
constexpr std::size_t weights = 2 * 4 * 32 * 32;
static_assert(without - with == weights * 2 && with < weights * 2 + 1024, "biases stay in float");
static_assert(inference<wide, on<cuda>>::workspace_bytes - inference<wide, on<rounded>>::workspace_bytes ==
              weights * 2);
static_assert(std::is_same_v<backend::memory_owner<rounded>, cuda> &&
              std::is_same_v<backend::memory_owner<cuda>, cuda>);

}  // namespace tenon::test
