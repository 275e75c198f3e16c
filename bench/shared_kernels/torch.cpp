// PyTorch's C++ library on as many threads, with its own layers and Adam.
#include "shared_kernels/work.hpp"

#include <torch/torch.h>

#include <memory>

namespace bench {
namespace {

class torch_network final : public contender {
  const shared_work& work;
  torch::nn::LSTM states{nullptr};
  torch::nn::TransformerEncoderLayer block{nullptr};
  torch::nn::Linear answers{shared_work::width, shared_work::answers};
  torch::Tensor x, target;
  std::unique_ptr<torch::optim::Adam> rule;
  mutable torch::Tensor y;

  torch::Tensor forward() {
    const torch::Tensor h = work.block ? block(x) : std::get<0>(states(x));
    return answers(h);
  }
  void take(torch::nn::Module& from, const std::string& node) {
    torch::NoGradGuard guard;
    for (auto& p : from.named_parameters()) {
      const std::vector<float>& numbers = work.parameters.at(node + p.key());
      p.value().copy_(torch::from_blob(const_cast<float*>(numbers.data()), p.value().sizes()));
    }
  }

 public:
  explicit torch_network(const shared_work& w) : work(w) {
    torch::set_num_threads(shared_work::threads);
    const long d = shared_work::width;
    const auto steps_first = [&](const std::vector<float>& of, long size) {
      return torch::from_blob(const_cast<float*>(of.data()), {w.rows(), shared_work::steps, size})
          .transpose(0, 1)
          .contiguous();
    };
    x = steps_first(w.x, d);
    target = steps_first(w.target, shared_work::answers);
    std::vector<torch::Tensor> all;
    if (w.block) {
      block =
          torch::nn::TransformerEncoderLayer(torch::nn::TransformerEncoderLayerOptions(d, shared_work::heads)
                                                 .dim_feedforward(shared_work::feed_forward)
                                                 .dropout(0));
      take(*block, "h.");
      all = block->parameters();
    } else {
      states = torch::nn::LSTM(torch::nn::LSTMOptions(d, d).num_layers(2));
      take(*states, "h.");
      all = states->parameters();
    }
    take(*answers, "y.");
    for (const torch::Tensor& p : answers->parameters()) all.push_back(p);
    rule = std::make_unique<torch::optim::Adam>(all, torch::optim::AdamOptions(1e-4));
  }
  void run() override {
    if (!work.training) {
      torch::InferenceMode guard;
      y = forward();
      return;
    }
    rule->zero_grad();
    const torch::Tensor loss = torch::mse_loss(forward(), target);
    loss.backward();
    rule->step();
    y = loss.detach();
  }
  std::span<const float> output() const override {
    y = (y.dim() == 3 ? y.transpose(0, 1) : y).contiguous();
    return {y.data_ptr<float>(), static_cast<std::size_t>(y.numel())};
  }
};

const bool entered = contest<shared_work>::enter(
    "PyTorch", 3,
    [](const shared_work& w) -> std::unique_ptr<contender> { return std::make_unique<torch_network>(w); });

}  // namespace
}  // namespace bench
