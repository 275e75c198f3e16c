// The pieces of a product are the product, bit by bit, however many there are.
#include <tenon/backend/cpu/cpu.hpp>

#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <vector>

using namespace tenon::backend;

namespace {

struct int8_cpu : cpu, int8_weights {};
constexpr int row_counts[]{1, 2, 7, 8, 9, 33};
constexpr int piece_counts[]{1, 2, 3, 5};

std::vector<float> numbers(std::ptrdiff_t count) {
  std::vector<float> all(static_cast<std::size_t>(count));
  unsigned state = 17;
  for (float& x : all) {
    state = state * 1664525u + 1013904223u;
    x = static_cast<float>(state >> 8) / static_cast<float>(1 << 23) - 1;
  }
  return all;
}
const float unwritten = std::numeric_limits<float>::quiet_NaN();
bool has_same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

/// whole(y) and run(piece, y) write to y, which begins as `start`.
template <class Whole, class Run>
void check_pieces(const std::vector<float>& start, Whole whole, Run run) {
  std::vector<float> expected = start;
  whole(expected.data());
  for (int count : piece_counts) {
    INFO(count, " pieces");
    std::vector<float> y = start;
    for (int k = count; k-- > 0;) run(piece{k, count}, y.data());  // in another order
    CHECK(has_same_bits(y, expected));
  }
}

template <int N, int K>
void check_products() {
  for (int rows : row_counts) {
    INFO(rows, " rows, ", N, " outputs, ", K, " features");
    const std::vector<float> x = numbers(rows * K), g = numbers(rows * N), w = numbers(std::ptrdiff_t(N) * K);
    std::vector<float> packed(static_cast<std::size_t>(packed_size<N, K>(cpu{}))),
        turned(static_cast<std::size_t>(packed_transposed_size<N, K>(cpu{})) + 1),
        scratch(static_cast<std::size_t>(outer_scratch_size<N, K>(cpu{})) + 1);
    pack<N, K>(cpu{}, w.data(), packed.data());
    const std::vector<float> of_outputs(g.size(), unwritten), of_features(x.size(), unwritten);
    check_pieces(
        of_outputs, [&](float* y) { matmul<N, K>(cpu{}, rows, x.data(), K, packed.data(), y, N); },
        [&](piece mine, float* y) {
          matmul_piece<N, K>(cpu{}, mine, rows, x.data(), K, packed.data(), y, N);
        });
    for (bool add : {false, true}) {
      check_pieces(
          add ? numbers(rows * K) : of_features,
          [&](float* dx) { matmul_transposed<N, K>(cpu{}, rows, g.data(), N, w.data(), dx, K, add); },
          [&](piece mine, float* dx) {
            matmul_transposed_piece<N, K>(cpu{}, mine, rows, g.data(), N, w.data(), dx, K, add);
          });
      if constexpr (packed_transposed_size<N, K>(cpu{}) > 0) {
        pack_transposed<N, K>(cpu{}, w.data(), turned.data());
        check_pieces(
            add ? numbers(rows * K) : of_features,
            [&](float* dx) {
              contract_packed_transposed<N, K>(cpu{}, rows, g.data(), N, turned.data(), dx, K, add);
            },
            [&](piece mine, float* dx) {
              contract_packed_transposed_piece<N, K>(cpu{}, mine, rows, g.data(), N, turned.data(), dx, K,
                                                     add);
            });
      }
    }
    check_pieces(
        w,
        [&](float* dw) {
          if constexpr (outer_scratch_size<N, K>(cpu{}) > 0)
            gradient_outer<N, K>(cpu{}, rows, g.data(), N, x.data(), K, dw, scratch.data());
          else gradient_outer<N, K>(cpu{}, rows, g.data(), N, x.data(), K, dw);
        },
        [&](piece mine, float* dw) {
          gradient_outer_piece<N, K>(cpu{}, mine, rows, g.data(), N, x.data(), K, dw, scratch.data());
        });
  }
}

TEST_CASE("float weights") {
  check_products<512, 300>();
  check_products<301, 270>();
  check_products<70, 600>();
  check_products<1100, 130>();  // with packed parts of its gradients
  check_products<9, 5>();       // less than a unit
}
TEST_CASE("weights of 8 bits") {
  constexpr int N = 70, K = 33;
  const std::vector<float> w = numbers(N * K);
  std::vector<float> packed(static_cast<std::size_t>(packed_size<N, K>(int8_cpu{})));
  pack<N, K>(int8_cpu{}, w.data(), packed.data());
  for (int rows : row_counts) {
    INFO(rows, " rows");
    const std::vector<float> x = numbers(rows * K);
    check_pieces(
        std::vector<float>(static_cast<std::size_t>(rows * N), unwritten),
        [&](float* y) { matmul<N, K>(int8_cpu{}, rows, x.data(), K, packed.data(), y, N); },
        [&](piece mine, float* y) {
          matmul_piece<N, K>(int8_cpu{}, mine, rows, x.data(), K, packed.data(), y, N);
        });
  }
}

}  // namespace
