// OpenBLAS: sgemv for one row, sgemm for more.
#include "products/work.hpp"

#include <cblas.h>

namespace bench {
namespace {

class openblas_product final : public contender {
  const product_work& w;
  tenon::engine::memory<float> result;

 public:
  explicit openblas_product(const product_work& given) : w(given), result(given.result_size()) {}
  void reset() override { std::fill(result.begin(), result.end(), 0.f); }
  void run() override {
    const float *x = w.x.data(), *m = w.w.data(), *g = w.g.data();
    float* const y = result.data();
    const int r = w.rows, n = w.n, k = w.k;
    const auto order = CblasRowMajor;
    if (w.what == product::forward && r == 1) cblas_sgemv(order, CblasNoTrans, n, k, 1, m, k, x, 1, 0, y, 1);
    else if (w.what == product::forward)
      cblas_sgemm(order, CblasNoTrans, CblasTrans, r, n, k, 1, x, k, m, k, 0, y, n);
    else if (w.what == product::backward)
      cblas_sgemm(order, CblasNoTrans, CblasNoTrans, r, k, n, 1, g, n, m, k, 0, y, k);
    else cblas_sgemm(order, CblasTrans, CblasNoTrans, n, k, r, 1, g, n, x, k, 1, y, k);
  }
  std::span<const float> output() const override { return {result.data(), result.size()}; }
};

const bool entered =
    product_contest::enter("OpenBLAS", 3, [](const product_work& w) -> std::unique_ptr<contender> {
      return std::make_unique<openblas_product>(w);
    });

}  // namespace
}  // namespace bench
