// PyTorch's C++ library, with gradients by its autograd. Attention: the fused one, faster here than two bmm.
#include "layers/work.hpp"

#include <torch/torch.h>

namespace bench {
namespace {

namespace functional = torch::nn::functional;

class torch_layer final : public contender {
  const layer_work& work;
  torch::Tensor x, query, index, adjoint, answer, query_answer;
  mutable std::vector<float> both;

  torch::Tensor forward() const {
    switch (work.what) {
      case layer::cross_entropy:
        return functional::cross_entropy(x, index);
      case layer::embedding:
        return functional::embedding(index, x);
      default: {
        const torch::Tensor states = x.unsqueeze(1);
        return torch::scaled_dot_product_attention(query.view({work.batch, 1, 1, work.width}), states, states,
                                                   {}, 0, false, 1.0)
            .view({work.batch, work.width});
      }
    }
  }
  static torch::Tensor numbers(const std::vector<float>& v, at::IntArrayRef sizes) {
    return torch::from_blob(const_cast<float*>(v.data()), sizes).clone();
  }

 public:
  explicit torch_layer(const layer_work& w) : work(w) {
    torch::set_num_threads(1);
    const long b = w.batch;
    index = torch::from_blob(const_cast<int*>(w.index.data()), {std::ssize(w.index)}, torch::kInt32)
                .to(torch::kLong);
    switch (w.what) {
      case layer::cross_entropy:
        x = numbers(w.x, {b, w.classes});
        break;
      case layer::embedding:
        x = numbers(w.x, {w.symbols, w.width});
        index = index.view({b, w.tokens});
        adjoint = numbers(w.output_adjoint, {b, w.tokens, w.width});
        break;
      case layer::attention:
        x = numbers(w.x, {b, w.steps, w.width});
        query = numbers(w.query, {b, w.width});
        adjoint = numbers(w.output_adjoint, {b, w.width});
        query.requires_grad_(w.backward);
    }
    x.requires_grad_(w.backward);
  }
  void run() override {
    if (!work.backward) {
      torch::InferenceMode guard;
      answer = forward();
      return;
    }
    const torch::Tensor y = forward();
    std::vector<torch::Tensor> wanted{x}, given;
    if (work.what == layer::attention) wanted.push_back(query);
    if (adjoint.defined()) given.push_back(adjoint);
    const std::vector<torch::Tensor> got = torch::autograd::grad({y}, wanted, given);
    answer = got[0];
    if (got.size() > 1) query_answer = got[1];
  }
  std::span<const float> output() const override {
    both.clear();
    for (const torch::Tensor& t : {query_answer, answer}) {
      if (!t.defined()) continue;
      const torch::Tensor plain = t.contiguous();
      both.insert(both.end(), plain.data_ptr<float>(), plain.data_ptr<float>() + plain.numel());
    }
    return both;
  }
};

const bool entered = layer_contest::enter(
    "PyTorch", 3,
    [](const layer_work& w) -> std::unique_ptr<contender> { return std::make_unique<torch_layer>(w); });

}  // namespace
}  // namespace bench
