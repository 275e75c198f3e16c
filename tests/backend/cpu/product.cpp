// The products and sums of the CPU backend against the reference in double.
#include "support/guarded_rows.hpp"
#include <tenon/backend/cpu/product.hpp>
#include <tenon/backend/reference/product.hpp>

#include <doctest/doctest.h>

using namespace tenon::backend;
using tenon::test::distance;
using tenon::test::guarded_rows;
using tenon::test::noise;

namespace {

constexpr int row_counts[]{1, 2, 3, 5, 8, 31, 32};

/// The tolerance for rounding in a sum of `terms` products of numbers up to 1.
template <class T>
double rounding(int terms) {
  return static_cast<double>(std::numeric_limits<T>::epsilon()) * (terms + 8) / 4;
}

/// The kernels of one shape on one backend; the check itself is compiled once for all shapes.
template <class T>
struct kernels {
  int packed;
  void (*pack)(const T* w, T* packed);
  void (*matmul)(int rows, const T* x, std::ptrdiff_t x_stride, const T* packed, T* y,
                 std::ptrdiff_t y_stride);
  void (*matmul_transposed)(int rows, const T* g, std::ptrdiff_t g_stride, const T* w, T* dx,
                            std::ptrdiff_t dx_stride);
  void (*gradient_outer)(int rows, const T* g, std::ptrdiff_t g_stride, const T* x, std::ptrdiff_t x_stride,
                         T* dw);
  void (*gradient_sum)(int rows, const T* g, std::ptrdiff_t g_stride, T* db);
  // what only the CPU has: sums that are added to; the same with packed weights, and with scratch
  void (*add_transposed)(int rows, const T* g, std::ptrdiff_t g_stride, const T* w, T* dx,
                         std::ptrdiff_t dx_stride) = nullptr;
  void (*add_packed_transposed)(int rows, const T* g, std::ptrdiff_t g_stride, const T* packed, T* dx,
                                std::ptrdiff_t dx_stride) = nullptr;
  int packed_transposed = 0, scratch = 0;
  void (*pack_transposed)(const T* w, T* packed) = nullptr;
  void (*contract_packed_transposed)(int rows, const T* g, std::ptrdiff_t g_stride, const T* packed, T* dx,
                                     std::ptrdiff_t dx_stride) = nullptr;
  void (*gradient_outer_packed)(int rows, const T* g, std::ptrdiff_t g_stride, const T* x,
                                std::ptrdiff_t x_stride, T* dw, T* scratch) = nullptr;
};
template <int N, int K, class Backend, class T>
kernels<T> kernels_of() {
  constexpr Backend on{};
  kernels<T> all{packed_size<N, K>(on),
                 [](auto... a) { pack<N, K>(Backend{}, a...); },
                 [](auto... a) { matmul<N, K>(Backend{}, a...); },
                 [](auto... a) { matmul_transposed<N, K>(Backend{}, a...); },
                 [](auto... a) { gradient_outer<N, K>(Backend{}, a...); },
                 [](auto... a) { gradient_sum<N>(Backend{}, a...); }};
  if constexpr (std::is_same_v<Backend, cpu>) {
    all.packed_transposed = packed_transposed_size<N, K>(on), all.scratch = outer_scratch_size<N, K>(on);
    all.add_transposed = [](auto... a) { matmul_transposed<N, K>(cpu{}, a..., true); };
    all.add_packed_transposed = [](auto... a) { contract_packed_transposed<N, K>(cpu{}, a..., true); };
    all.pack_transposed = [](auto... a) { pack_transposed<N, K>(cpu{}, a...); };
    all.contract_packed_transposed = [](auto... a) { contract_packed_transposed<N, K>(cpu{}, a...); };
    all.gradient_outer_packed = [](auto... a) { gradient_outer<N, K>(cpu{}, a...); };
  }
  return all;
}

template <class T>
void check_products(int N, int K, const kernels<T>& on_cpu, const kernels<double>& on_reference, int rows,
                    int gap) {
  CAPTURE(N);
  CAPTURE(K);
  CAPTURE(rows);
  noise random(static_cast<std::uint64_t>(N * 1000 + K + rows));
  guarded_rows<T> w(N, K, K, random), x(rows, K, K + gap, random), g(rows, N, N + gap, random);
  guarded_rows<T> packed(1, on_cpu.packed, 0, true), y(rows, N, N + gap), dx(rows, K, K + gap);
  guarded_rows<T> dw(N, K, K, random), db(1, N, N, random);
  const std::vector<double> w_ = w.numbers(), x_ = x.numbers(), g_ = g.numbers();
  std::vector<double> y_(g_.size()), dx_(x_.size()), dw_ = dw.numbers(), db_ = db.numbers();

  on_cpu.pack(w.data(), packed.data());
  on_cpu.matmul(rows, x.data(), x.stride, packed.data(), y.data(), y.stride);
  on_reference.matmul(rows, x_.data(), K, w_.data(), y_.data(), N);
  CHECK(distance(y, y_) <= rounding<T>(K));

  on_cpu.matmul_transposed(rows, g.data(), g.stride, w.data(), dx.data(), dx.stride);
  on_reference.matmul_transposed(rows, g_.data(), N, w_.data(), dx_.data(), K);
  CHECK(distance(dx, dx_) <= rounding<T>(N));

  guarded_rows<T> sum(rows, K, K + gap, random);
  const auto check_sum = [&](auto add, const T* weights) {
    std::vector<double> expected = sum.numbers();
    for (std::size_t k = 0; k < expected.size(); ++k) expected[k] += dx_[k];
    add(rows, g.data(), g.stride, weights, sum.data(), sum.stride);
    CHECK(distance(sum, expected) <= rounding<T>(N));
    CHECK(sum.intact());
  };
  check_sum(on_cpu.add_transposed, w.data());

  on_cpu.gradient_outer(rows, g.data(), g.stride, x.data(), x.stride, dw.data());
  on_reference.gradient_outer(rows, g_.data(), N, x_.data(), K, dw_.data());
  CHECK(distance(dw, dw_) <= rounding<T>(rows));

  if (on_cpu.packed_transposed > 0) {
    guarded_rows<T> panels(1, on_cpu.packed_transposed, 0, true), again(rows, K, K + gap);
    on_cpu.pack_transposed(w.data(), panels.data());
    on_cpu.contract_packed_transposed(rows, g.data(), g.stride, panels.data(), again.data(), again.stride);
    CHECK(distance(again, dx_) <= rounding<T>(N));
    check_sum(on_cpu.add_packed_transposed, panels.data());
    CHECK(panels.intact());
    CHECK(again.intact());
  }
  if (on_cpu.scratch > 0) {
    guarded_rows<T> scratch(1, on_cpu.scratch, 0, true), again(N, K);
    on_cpu.gradient_outer_packed(rows, g.data(), g.stride, x.data(), x.stride, again.data(), scratch.data());
    std::vector<double> zeros(dw_.size());
    on_reference.gradient_outer(rows, g_.data(), N, x_.data(), K, zeros.data());
    CHECK(distance(again, zeros) <= rounding<T>(rows));
    CHECK(scratch.intact());
    CHECK(again.intact());
  }

  on_cpu.gradient_sum(rows, g.data(), g.stride, db.data());
  on_reference.gradient_sum(rows, g_.data(), N, db_.data());
  CHECK(distance(db, db_) <= rounding<T>(rows));

  CHECK(w.intact());
  CHECK(packed.intact());
  CHECK(y.intact());
  CHECK(dx.intact());
  CHECK(dw.intact());
  CHECK(db.intact());
}

template <int N, int K, class T = float>
void check_shape() {
  const kernels<T> on_cpu = kernels_of<N, K, cpu, T>();
  const kernels<double> on_reference = kernels_of<N, K, reference, double>();
  for (int rows : row_counts)
    for (int gap : {0, 3}) check_products(N, K, on_cpu, on_reference, rows, gap);
  check_products(N, K, on_cpu, on_reference, 300, 5);  // more rows than gradient_outer processes at once
}

}  // namespace

TEST_CASE("narrower than a vector") {
  check_shape<1, 1>();
  check_shape<7, 13>();
  check_shape<13, 7>();
  check_shape<1, 128>();
  check_shape<128, 1>();
}
TEST_CASE("whole vectors") {
  check_shape<8, 16>();
  check_shape<16, 8>();
  check_shape<64, 128>();
  check_shape<128, 64>();
}
TEST_CASE("large enough to be packed, and to be summed in parts") {
  const auto check_large = []<int N, int K>() {
    const kernels<float> on_cpu = kernels_of<N, K, cpu, float>();
    const kernels<double> on_reference = kernels_of<N, K, reference, double>();
    for (int rows : {1, 9, 270, 500}) check_products(N, K, on_cpu, on_reference, rows, 3);
  };
  check_large.operator()<20, 300>();
  check_large.operator()<300, 257>();
  check_large.operator()<20, 280>();
  check_large.operator()<1030, 130>();
  static_assert(packed_transposed_size<300, 257>(cpu{}) > 0 && outer_scratch_size<1030, 130>(cpu{}) > 0);
}
TEST_CASE("vectors and a rest") {
  check_shape<17, 33>();
  check_shape<28, 42>();
  check_shape<33, 17>();
  check_shape<100, 64>();
  check_shape<64, 100>();
}

TEST_CASE("in double") {
  check_shape<1, 7, double>();
  check_shape<16, 33, double>();
  check_shape<33, 8, double>();
  check_shape<100, 13, double>();
}

TEST_CASE("each row of a batch is what it is alone, and every run gives the same bits") {
  constexpr int N = 100, K = 33, rows = 32;
  noise random(5);
  guarded_rows<float> w(N, K, K, random), x(rows, K, K, random), packed(1, packed_size<N, K>(cpu{}), 0, true);
  guarded_rows<float> y(rows, N), again(rows, N), alone(rows, N);
  pack<N, K>(cpu{}, w.data(), packed.data());
  matmul<N, K>(cpu{}, rows, x.data(), K, packed.data(), y.data(), N);
  matmul<N, K>(cpu{}, rows, x.data(), K, packed.data(), again.data(), N);
  for (int r = 0; r < rows; ++r) matmul<N, K>(cpu{}, 1, &x(r, 0), K, packed.data(), &alone(r, 0), N);
  CHECK(y.numbers() == again.numbers());
  CHECK(distance(y, alone.numbers()) <= 1e-6);
}

TEST_CASE_TEMPLATE("sums over time", T, float, double) {
  constexpr int N = 33, steps = 5, rows = 3;
  noise random(6);
  guarded_rows<T> in(steps * rows, N, 40, random), out(rows, N, 35);
  const std::vector<double> in_ = in.numbers();
  std::vector<double> out_(rows * N);
  axis_sum<N>(cpu{}, steps, rows, in.data(), std::ptrdiff_t{40}, std::ptrdiff_t{40 * rows}, out.data(),
              std::ptrdiff_t{35});
  axis_sum<N>(reference{}, steps, rows, in_.data(), std::ptrdiff_t{N}, std::ptrdiff_t{N * rows}, out_.data(),
              std::ptrdiff_t{N});
  CHECK(distance(out, out_) <= rounding<T>(steps));
  CHECK(out.intact());
}
