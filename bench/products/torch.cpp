// PyTorch's C++ library: torch::mm, and addmm for a gradient.
#include "products/work.hpp"

#include <torch/torch.h>

namespace bench {
namespace {

class torch_product final : public contender {
  const product_work& work;
  torch::Tensor x, w, g, result;

  static torch::Tensor matrix(const tenon::engine::memory<float>& numbers, int rows, int columns) {
    return torch::from_blob(const_cast<float*>(numbers.data()), {rows, columns});
  }

 public:
  explicit torch_product(const product_work& given)
      : work(given),
        x(matrix(given.x, given.rows, given.k)),
        w(matrix(given.w, given.n, given.k)),
        g(matrix(given.g, given.rows, given.n)) {
    torch::set_num_threads(1);
    reset();
  }
  void reset() override {
    result = work.what == product::forward    ? torch::zeros({work.rows, work.n})
             : work.what == product::backward ? torch::zeros({work.rows, work.k})
                                              : torch::zeros({work.n, work.k});
  }
  void run() override {
    torch::InferenceMode guard;
    if (work.what == product::forward) torch::mm_out(result, x, w.t());
    else if (work.what == product::backward) torch::mm_out(result, g, w);
    else result.addmm_(g.t(), x);
  }
  std::span<const float> output() const override {
    return {result.data_ptr<float>(), static_cast<std::size_t>(result.numel())};
  }
};

const bool entered = product_contest::enter(
    "PyTorch", 4,
    [](const product_work& w) -> std::unique_ptr<contender> { return std::make_unique<torch_product>(w); });

}  // namespace
}  // namespace bench
