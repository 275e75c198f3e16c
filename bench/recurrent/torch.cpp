// PyTorch's C++ library: its LSTM and GRU for a sequence, its LSTMCell and GRUCell for a single step.
#include "recurrent/work.hpp"

#include <torch/torch.h>

namespace bench {
namespace {

namespace nn = torch::nn;

class torch_layer final : public contender {
  const recurrent_work& work;
  nn::LSTM lstm{nullptr};
  nn::GRU gru{nullptr};
  nn::LSTMCell lstm_cell{nullptr};
  nn::GRUCell gru_cell{nullptr};
  torch::Tensor x, y, h, c;  // [1, steps, size] or [1, size]; the others [1, size]

  template <class Module>
  Module loaded(Module module) const {
    torch::NoGradGuard guard;
    for (auto& named : module->named_parameters()) {
      const std::string& name = named.key();
      const auto& from = name.starts_with("weight_ih")   ? work.weight_ih
                         : name.starts_with("weight_hh") ? work.weight_hh
                         : name.starts_with("bias_ih")   ? work.bias_ih
                                                         : work.bias_hh;
      named.value().copy_(torch::from_blob(const_cast<float*>(from.data()), named.value().sizes()));
    }
    return module;
  }

 public:
  explicit torch_layer(const recurrent_work& w) : work(w) {
    torch::set_num_threads(1);
    const long n = w.size;
    x = torch::from_blob(const_cast<float*>(w.x.data()), {1, w.steps, n}).clone();
    if (w.steps == 1) x = x.squeeze(1);
    if (w.kind == cell::lstm && w.steps == 1) lstm_cell = loaded(nn::LSTMCell(n, n));
    else if (w.kind == cell::lstm) lstm = loaded(nn::LSTM(nn::LSTMOptions(n, n).batch_first(true)));
    else if (w.steps == 1) gru_cell = loaded(nn::GRUCell(n, n));
    else gru = loaded(nn::GRU(nn::GRUOptions(n, n).batch_first(true)));
    reset();
  }
  void reset() override {
    h = torch::zeros({1, work.size});
    c = torch::zeros({1, work.size});
  }
  void run() override {
    torch::InferenceMode guard;
    if (lstm_cell) std::tie(h, c) = lstm_cell(x, std::make_tuple(h, c));
    else if (gru_cell) h = gru_cell(x, h);
    else if (lstm) y = std::get<0>(lstm(x));
    else y = std::get<0>(gru(x));
  }
  std::span<const float> output() const override {
    const torch::Tensor& result = work.steps == 1 ? h : y;
    return {result.data_ptr<float>(), static_cast<std::size_t>(result.numel())};
  }
};

const bool entered = recurrent_contest::enter(
    "PyTorch", 4,
    [](const recurrent_work& w) -> std::unique_ptr<contender> { return std::make_unique<torch_layer>(w); });

}  // namespace
}  // namespace bench
