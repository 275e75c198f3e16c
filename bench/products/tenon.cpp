// Tenon's patterns; the forward product reads weights that were packed before.
#include "products/work.hpp"
#include <tenon/backend/cpu/cpu.hpp>

namespace bench {
namespace {

template <int N, int K>
class tenon_product final : public contender {
  using backend = tenon::backend::cpu;
  const product_work& w;
  tenon::memory<float> packed, result;

 public:
  explicit tenon_product(const product_work& given)
      : w(given),
        packed(static_cast<std::size_t>(tenon::backend::packed_size<N, K>(backend{}))),
        result(given.result_size()) {
    tenon::backend::pack<N, K>(backend{}, w.w.data(), packed.data());
  }
  void reset() override { std::fill(result.begin(), result.end(), 0.f); }
  void run() override {
    using namespace tenon::backend;
    switch (w.what) {
      case product::forward:
        return contract<N, K>(cpu{}, w.rows, w.x.data(), K, static_cast<const float*>(packed.data()),
                              result.data(), N);
      case product::backward:
        return contract_transposed<N, K>(cpu{}, w.rows, w.g.data(), N, w.w.data(), result.data(), K);
      default:
        return gradient_outer<N, K>(cpu{}, w.rows, w.g.data(), N, w.x.data(), K, result.data());
    }
  }
  std::span<const float> output() const override { return {result.data(), result.size()}; }
};

const bool entered = product_contest::enter("Tenon", 0, [](const product_work& w) {
  std::unique_ptr<contender> made;
  with_matrix(w.n, w.k, [&]<int N, int K>() { made = std::make_unique<tenon_product<N, K>>(w); });
  return made;
});

}  // namespace
}  // namespace bench
