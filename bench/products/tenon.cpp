// Tenon's kernels, as a session calls them: packed weights were packed before, as after each step of an
// optimiser; a gradient packs its own operands.
#include "products/work.hpp"
#include <tenon/backend/cpu/cpu.hpp>

#include <utility>

namespace bench {
namespace {

template <int N, int K>
class tenon_product final : public contender {
  using backend = tenon::backend::cpu;
  const product_work& w;
  static constexpr long turned_size = tenon::backend::packed_transposed_size<N, K>(backend{}),
                        scratch_size = tenon::backend::outer_scratch_size<N, K>(backend{});
  tenon::engine::memory<float> packed, turned, scratch, result;

 public:
  explicit tenon_product(const product_work& given)
      : w(given),
        packed(static_cast<std::size_t>(tenon::backend::packed_size<N, K>(backend{}))),
        turned(turned_size),
        scratch(scratch_size),
        result(given.result_size()) {
    tenon::backend::pack<N, K>(backend{}, w.w.data(), packed.data());
    if constexpr (turned_size > 0)
      tenon::backend::pack_transposed<N, K>(backend{}, w.w.data(), turned.data());
  }
  void reset() override { std::fill(result.begin(), result.end(), 0.f); }
  void run() override {
    using namespace tenon::backend;
    switch (w.what) {
      case product::forward:
        return matmul<N, K>(cpu{}, w.rows, w.x.data(), K, static_cast<const float*>(packed.data()),
                              result.data(), N);
      case product::backward:
        if constexpr (turned_size > 0)
          contract_packed_transposed<N, K>(cpu{}, w.rows, w.g.data(), N, std::as_const(turned).data(),
                                           result.data(), K);
        else matmul_transposed<N, K>(cpu{}, w.rows, w.g.data(), N, w.w.data(), result.data(), K);
        break;
      default:
        if constexpr (scratch_size > 0)
          gradient_outer<N, K>(cpu{}, w.rows, w.g.data(), N, w.x.data(), K, result.data(), scratch.data());
        else gradient_outer<N, K>(cpu{}, w.rows, w.g.data(), N, w.x.data(), K, result.data());
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
