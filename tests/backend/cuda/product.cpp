// The tiled products in the emulation of blocks and threads, against the reference in double.
#include "tenon/backend/cuda/product.hpp"

#include "support/guarded_rows.hpp"
#include "support/worse.hpp"
#include "tenon/backend/reference/product.hpp"

#include <doctest/doctest.h>

#include <set>

namespace tenon::test {

using namespace backend;

template <class T>
double rounding(int terms) {
  return static_cast<double>(std::numeric_limits<T>::epsilon()) * (terms + 8) / 4;
}

template <int N, int K, class T>
void check_products(int rows, int gap) {
  CAPTURE(N);
  CAPTURE(K);
  CAPTURE(rows);
  noise random(static_cast<std::uint64_t>(N * 1000 + K + rows));
  guarded_rows<T> w(N, K, K, random), x(rows, K, K + gap, random), g(rows, N, N + gap, random);
  guarded_rows<T> packed(1, packed_size<N, K>(cuda{})), y(rows, N, N + gap), dx(rows, K, K + gap);
  guarded_rows<T> dw(N, K, K, random), db(1, N, N, random), whole(N, K, K);
  for (int n = 0; n < N; ++n)
    for (int k = 0; k < K; ++k) whole(n, k) = dw(n, k);
  const std::vector<double> w_ = w.numbers(), x_ = x.numbers(), g_ = g.numbers();
  std::vector<double> y_(g_.size()), dx_(x_.size()), dw_ = dw.numbers(), db_ = db.numbers();

  pack<N, K>(cuda{}, w.data(), packed.data());
  matmul<N, K>(cuda{}, rows, x.data(), x.stride, packed.data(), y.data(), y.stride);
  matmul<N, K>(reference{}, rows, x_.data(), K, w_.data(), y_.data(), N);
  CHECK(distance(y, y_) <= rounding<T>(K));
  matmul_transposed<N, K>(cuda{}, rows, g.data(), g.stride, w.data(), dx.data(), dx.stride);
  matmul_transposed<N, K>(reference{}, rows, g_.data(), N, w_.data(), dx_.data(), K);
  CHECK(distance(dx, dx_) <= rounding<T>(N));

  gradient_outer<N, K>(reference{}, rows, g_.data(), N, x_.data(), K, dw_.data());
  gradient_outer<N, K>(cuda{}, rows, g.data(), g.stride, x.data(), x.stride, whole.data());
  CHECK(distance(whole, dw_) <= rounding<T>(rows));
  constexpr long size = outer_scratch_size<N, K>(cuda{});
  guarded_rows<T> scratch(1, size > 0 ? static_cast<int>(size) : 1);
  gradient_outer<N, K>(cuda{}, rows, g.data(), g.stride, x.data(), x.stride, dw.data(), scratch.data());
  CHECK(distance(dw, dw_) <= rounding<T>(rows));

  gradient_sum<N>(cuda{}, rows, g.data(), g.stride, db.data());
  gradient_sum<N>(reference{}, rows, g_.data(), N, db_.data());
  CHECK(distance(db, db_) <= rounding<T>(rows));
  for (guarded_rows<T>* each : {&w, &x, &g, &packed, &y, &dx, &dw, &db, &whole, &scratch})
    CHECK(each->intact());
}

TEST_CASE("one number") { check_products<1, 1, float>(1, 0); }
TEST_CASE("a part of a tile") {
  check_products<3, 5, float>(2, 3);
  check_products<17, 33, float>(17, 0);
  check_products<33, 15, double>(5, 1);
}
TEST_CASE("whole tiles and rests") {
  check_products<64, 48, float>(32, 0);
  check_products<65, 70, float>(67, 2);
}
TEST_CASE("a gradient in parts of the rows") {
  static_assert(outer_scratch_size<9, 7>(cuda{}) == 16 * 9 * 7 && cuda_detail::parts_for(9, 7, 300) == 4);
  check_products<9, 7, float>(300, 3);
  check_products<1, 7, double>(130, 0);
}

// Only large sizes use it, so it is called by name here.
template <class T, bool TransposedLeft, class Tile = cuda_detail::wide_tile>
void check_wide_tile(int rows, int columns, int depth, int parts) {
  noise random(4);
  guarded_rows<T> left(TransposedLeft ? depth : rows, TransposedLeft ? rows : depth, 0, random),
      right(depth, columns, 0, random), out(parts * rows, columns);
  std::vector<double> expected(std::size_t(rows * columns)), got(expected.size());
  for (int m = 0; m < rows; ++m)
    for (int n = 0; n < columns; ++n)
      for (int k = 0; k < depth; ++k)
        expected[std::size_t(m * columns + n)] +=
            double(TransposedLeft ? left(k, m) : left(m, k)) * double(right(k, n));
  cuda_detail::multiply<Tile, TransposedLeft>(
      cuda_detail::tiled_product<T, Tile, TransposedLeft>{
          rows, columns, depth, cuda_detail::terms_of_part(depth, parts), left.data(), right.data(),
          out.data(), left.stride, right.stride, columns, rows * columns, false},
      parts, "matmul");
  for (int p = 0; p < parts; ++p)
    for (int i = 0; i < rows * columns; ++i)
      got[std::size_t(i)] += double(out.data()[p * rows * columns + i]);
  double largest = 0;
  for (std::size_t i = 0; i < got.size(); ++i)
    largest = worse(largest, std::abs(got[i] - expected[i]) / (1 + std::abs(expected[i])));
  CHECK(largest <= rounding<T>(depth));
  CHECK(out.intact());
}
TEST_CASE("wide tiles") {
  check_wide_tile<float, false>(70, 65, 17, 1);
  check_wide_tile<float, true>(64, 3, 33, 2);
  check_wide_tile<double, false>(1, 130, 16, 1);
  check_wide_tile<float, false, cuda_detail::large_tile>(130, 129, 17, 1);
  check_wide_tile<float, true, cuda_detail::large_tile>(127, 5, 40, 2);
}

TEST_CASE("equal runs give equal bits, whatever stands between the rows") {
  constexpr int N = 20, K = 9, rows = 200;
  const auto gradient = [](int gap) {
    noise random(3);
    guarded_rows<float> g(rows, N, N + gap), x(rows, K, K + gap), dw(N, K),
        scratch(1, outer_scratch_size<N, K>(cuda{}));
    g.fill([&](int, int) { return random(); });
    x.fill([&](int, int) { return random(); });
    gradient_outer<N, K>(cuda{}, rows, g.data(), g.stride, x.data(), x.stride, dw.data(), scratch.data());
    return dw.numbers();
  };
  CHECK(gradient(0) == gradient(0));
  CHECK(gradient(0) == gradient(5));
}

// The index arithmetic of the kernels.
using namespace cuda_detail;
template <class Tile>
void check_threads_share_a_tile() {
  std::set<int> made;
  for (int t = 0; t < Tile::threads; ++t)
    for (int i = 0; i < Tile::thread_rows; ++i)
      for (int j = 0; j < Tile::thread_columns; ++j) {
        const int r = Tile::first_row(t) + i, c = Tile::column(t, j);
        CHECK(r < Tile::rows);
        CHECK(c < Tile::columns);
        made.insert(r * Tile::columns + c);
      }
  CHECK(made.size() == Tile::rows * Tile::columns);
}
TEST_CASE("every number of a tile is one thread's, and every place is fetched once") {
  check_threads_share_a_tile<large_tile>();
  check_threads_share_a_tile<wide_tile>();
  check_threads_share_a_tile<small_tile>();
  std::set<int> along, across;
  for (int e = 0; e < 64 * 16; ++e) {
    const tile_place a = place_in_tile<64, 16, true>(e), b = place_in_tile<64, 16, false>(e);
    along.insert(a.across * 16 + a.along);
    across.insert(b.across * 16 + b.along);
    CHECK(a.across < 64);
    CHECK(b.along < 16);
  }
  CHECK(along.size() == 64 * 16);
  CHECK(across.size() == 64 * 16);
}
TEST_CASE("parts of a sum hold all its terms") {
  for (int depth : {0, 1, 63, 64, 127, 128, 1000, 1023, 100000})
    for (int size : {1, 16, 100, 512}) {
      const int parts = parts_for(size, size, depth), terms = terms_of_part(depth, parts);
      CHECK(parts <= most_parts_for(size, size));
      CHECK(parts * terms >= depth);
      if (parts > 1) CHECK((parts - 1) * terms < depth);
    }
  static_assert(uses_large_tiles(1024, 1024) && !uses_large_tiles(1024, 512));
  static_assert(uses_wide_tiles(4096, 512) && !uses_wide_tiles(32, 128));
  static_assert(most_parts_for(2000, 2000) == 1 && most_parts_for(1024, 256) == 4);
}

}  // namespace tenon::test
