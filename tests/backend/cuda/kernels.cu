// Our own kernels on a GPU, against the reference in double. The .cpp tests beside this test their logic without a GPU.
#include "support/map_kernels.hpp"
#include "support/worse.hpp"
#include "tenon/backend/cuda/cuda.hpp"
#include "tenon/backend/reference/reference.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <vector>

namespace tenon::test {

using backend::cuda;
using backend::reference;

// Numbers in the device's memory, and the same in the program's.
template <class T>
class on_device {
 public:
  explicit on_device(std::vector<T> numbers) : here_(numbers), there_(allocate(cuda{}, bytes())) {
    copy_in(cuda{}, here_.data(), there_, bytes());
  }
  on_device(const on_device&) = delete;
  ~on_device() { release(cuda{}, there_); }
  T* data() const { return static_cast<T*>(there_); }
  std::vector<double> wide() const { return {here_.begin(), here_.end()}; }
  const std::vector<T>& here() const { return here_; }
  std::vector<T> result() const {
    std::vector<T> numbers(here_.size());
    copy_out(cuda{}, there_, numbers.data(), bytes());
    return numbers;
  }

 private:
  std::vector<T> here_;
  void* there_;
  std::size_t bytes() const { return here_.size() * sizeof(T); }
};
std::vector<float> waves(int count, double phase) {
  std::vector<float> all;
  for (int i = 0; i < count; ++i) all.push_back(static_cast<float>(std::sin(0.7 * i + phase)));
  return all;
}
void check_close(const std::vector<float>& got, const std::vector<double>& expected, double tolerance) {
  REQUIRE(got.size() == expected.size());
  double largest = 0;
  for (std::size_t i = 0; i < got.size(); ++i)
    largest = worse(largest, std::fabs(double(got[i]) - expected[i]) / (1 + std::fabs(expected[i])));
  CHECK(largest <= tolerance);
}

template <int N, int K>
void check_products(int rows) {
  CAPTURE(rows);
  const on_device<float> w(waves(N * K, 0)), x(waves(rows * K, 1)), g(waves(rows * N, 2));
  const on_device<float> packed(waves(N * K, 0)), y(waves(rows * N, 0)), dx(waves(rows * K, 0));
  const on_device<float> dw(waves(N * K, 3)), whole(waves(N * K, 3)), db(waves(N, 4));
  const on_device<float> scratch(
      std::vector<float>(std::size_t(backend::outer_scratch_size<N, K>(cuda{}) + 1)));
  std::vector<double> y_ = y.wide(), dx_ = dx.wide(), dw_ = dw.wide(), db_ = db.wide();
  backend::pack<N, K>(cuda{}, w.data(), packed.data());
  backend::matmul<N, K>(cuda{}, rows, x.data(), K, packed.data(), y.data(), N);
  backend::matmul_transposed<N, K>(cuda{}, rows, g.data(), N, w.data(), dx.data(), K);
  backend::gradient_outer<N, K>(cuda{}, rows, g.data(), N, x.data(), K, dw.data(), scratch.data());
  backend::gradient_outer<N, K>(cuda{}, rows, g.data(), N, x.data(), K, whole.data());
  backend::gradient_sum<N>(cuda{}, rows, g.data(), N, db.data());
  backend::matmul<N, K>(reference{}, rows, x.wide().data(), K, w.wide().data(), y_.data(), N);
  backend::matmul_transposed<N, K>(reference{}, rows, g.wide().data(), N, w.wide().data(), dx_.data(), K);
  backend::gradient_outer<N, K>(reference{}, rows, g.wide().data(), N, x.wide().data(), K, dw_.data());
  backend::gradient_sum<N>(reference{}, rows, g.wide().data(), N, db_.data());
  check_close(y.result(), y_, 1e-4);
  check_close(dx.result(), dx_, 1e-4);
  check_close(dw.result(), dw_, 1e-4);
  check_close(whole.result(), dw_, 1e-4);
  check_close(db.result(), db_, 1e-4);
}
TEST_CASE("products on a GPU") {
  check_products<1, 1>(1);
  check_products<33, 65>(37);
  check_products<512, 100>(700);
}
TEST_CASE("products on tensor cores of a GPU") {
  check_products<256, 256>(1030);
  check_products<1024, 64>(4100);
}

template <class Kernel>
void check_map(int steps, int rows) {
  constexpr int load_count = Kernel::body.loads.size, store_count = Kernel::body.stores.size;
  constexpr int width = Kernel::body.width;
  backend::operand<const float> loads[load_count + 1];
  backend::operand<float> stores[store_count + 1];
  backend::operand<const double> loads_[load_count + 1];
  backend::operand<double> stores_[store_count + 1];
  const on_device<float> in(waves(load_count * steps * rows * width, 0));
  const on_device<float> out(std::vector<float>(std::size_t(store_count * steps * rows * width)));
  const std::vector<double> in_ = in.wide();
  std::vector<double> out_ = out.wide();
  for (int l = 0; l < load_count; ++l) {
    const std::ptrdiff_t first = std::ptrdiff_t(l) * steps * rows * width;
    loads[l] = {in.data() + first, width, rows * width};
    loads_[l] = {in_.data() + first, width, rows * width};
  }
  for (int s = 0; s < store_count; ++s) {
    const std::ptrdiff_t first = std::ptrdiff_t(s) * steps * rows * width;
    stores[s] = {out.data() + first, width, rows * width};
    stores_[s] = {out_.data() + first, width, rows * width};
  }
  backend::map<Kernel>(cuda{}, steps, rows, loads, stores);
  backend::map<Kernel>(reference{}, steps, rows, loads_, stores_);
  check_close(out.result(), out_, 1e-4);
}
TEST_CASE("sums and maxima over rows on a GPU") {
  check_map<multiply_add<9, true>>(3, 5);
  check_map<multiply_add<1000, true>>(2, 3);
}

TEST_CASE("cross-entropy of many classes, and rows of a table's gradient, on a GPU") {
  constexpr int classes = 32000, rows = 5, D = 100;
  const on_device<float> logits(waves(rows * classes, 0)), gradient(waves(rows * classes, 1));
  const on_device<int> targets({3, -1, 31999, 0, 3});
  std::vector<double> gradient_ = gradient.wide();
  const on_device<backend::positions_sum> own(std::vector<backend::positions_sum>(1));
  const on_device<backend::run_numbers> run(std::vector<backend::run_numbers>(1));
  const on_device<float> mean(std::vector<float>(1));
  backend::mean_cross_entropy<classes>(
      cuda{}, rows, logits.data(), classes, targets.data(), 0.25 * 4, gradient.data(),
      backend::loss_numbers<float>{own.data(), run.data(), mean.data()});  // 4 of them have a target
  const double loss = own.result()[0].sum;
  const double loss_ = backend::sum_cross_entropy<classes>(reference{}, rows, logits.wide().data(), classes,
                                                           targets.here().data(), 0.25, gradient_.data());
  CHECK(loss == doctest::Approx(loss_).epsilon(1e-5));
  check_close(gradient.result(), gradient_, 1e-6);

  const on_device<float> g(waves(rows * D, 2)), table(waves(32000 * D, 3));
  std::vector<double> table_ = table.wide();
  backend::scatter_add<D>(cuda{}, rows, targets.data(), g.data(), D, 0, table.data());
  backend::scatter_add<D>(reference{}, rows, targets.here().data(), g.wide().data(), D, 0, table_.data());
  check_close(table.result(), table_, 1e-6);
}

}  // namespace tenon::test
