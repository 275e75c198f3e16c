// Eigen, on maps of the same memory. Its static sizes do not compile for the larger matrices.
#include "products/work.hpp"

#include <Eigen/Dense>

namespace bench {
namespace {

class eigen_product final : public contender {
  const product_work& w;
  tenon::engine::memory<float> result;

 public:
  explicit eigen_product(const product_work& given) : w(given), result(given.result_size()) {}
  void reset() override { std::fill(result.begin(), result.end(), 0.f); }
  void run() override {
    using Eigen::Map;
    using matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Map<const matrix> x(w.x.data(), w.rows, w.k), g(w.g.data(), w.rows, w.n), m(w.w.data(), w.n, w.k);
    switch (w.what) {
      case product::forward:
        if (w.rows == 1)
          Map<Eigen::VectorXf>(result.data(), w.n).noalias() =
              m * Map<const Eigen::VectorXf>(w.x.data(), w.k);
        else Map<matrix>(result.data(), w.rows, w.n).noalias() = x * m.transpose();
        break;
      case product::backward:
        Map<matrix>(result.data(), w.rows, w.k).noalias() = g * m;
        break;
      case product::gradient:
        Map<matrix>(result.data(), w.n, w.k).noalias() += g.transpose() * x;
    }
  }
  std::span<const float> output() const override { return {result.data(), result.size()}; }
};

const bool entered = product_contest::enter(
    "Eigen", 4,
    [](const product_work& w) -> std::unique_ptr<contender> { return std::make_unique<eigen_product>(w); });

}  // namespace
}  // namespace bench
