// PyTorch's C++ library and its autograd, with Tenon's initial parameters loaded by name. Attention: the fused one, as its Python
// modules call it. The decoder is a loop of its operations; images have the default layout, channels first.
#include "sequences/tenon.hpp"

#define STRIP_ERROR_MESSAGES  // messages as literals: its packages before 2.7 have strings of the older binary interface
#include <torch/torch.h>

#include <map>
#include <string>

namespace bench {
namespace {

namespace functional = torch::nn::functional;

class torch_layer final : public contender {
  const sequence_work& work;
  std::map<std::string, torch::Tensor> learned;  // by name
  torch::Tensor x, memory, adjoint, answer;
  mutable torch::Tensor plain;

  static torch::Tensor numbers(const std::vector<float>& v, at::IntArrayRef sizes) {
    return torch::from_blob(const_cast<float*>(v.data()), sizes).clone();
  }
  bool is_image() const { return work.what == layer::conv2d; }
  bool is_convolution() const { return is_image() || work.what == layer::conv1d; }

  const torch::Tensor& at(const std::string& name) const { return learned.at(name); }
  torch::Tensor affine(const torch::Tensor& of, const std::string& name) const {
    return functional::linear(of, at(name + ".weight"), at(name + ".bias"));
  }
  torch::Tensor normalized(const torch::Tensor& of, const std::string& name) const {
    return torch::layer_norm(of, {work.width}, at(name + ".weight"), at(name + ".bias"));
  }
  torch::Tensor attend(const std::string& below) const {
    const long b = work.batch, t = work.steps, h = work.heads(), d = work.width;
    const torch::Tensor parts =
        functional::linear(x, at(below + "in_proj_weight"), at(below + "in_proj_bias"))
            .view({b, t, 3, h, d / h});
    const auto part = [&](int which) { return parts.select(2, which).transpose(1, 2); };
    const torch::Tensor found = torch::scaled_dot_product_attention(part(0), part(1), part(2));
    return affine(found.transpose(1, 2).reshape({b, t, d}), below + "out_proj");
  }
  torch::Tensor encode() const {
    const torch::Tensor seen = normalized(x + attend("self_attn."), "norm1");
    return normalized(seen + affine(torch::relu(affine(seen, "linear1")), "linear2"), "norm2");
  }
  torch::Tensor decode() const {
    const torch::Tensor keys = functional::linear(memory, at("U_a"));
    torch::Tensor s = torch::zeros({work.batch, work.width});
    std::vector<torch::Tensor> states;
    for (int t = 0; t < work.steps; ++t) {
      const torch::Tensor y = x.select(1, t);
      const torch::Tensor e =
          functional::linear(torch::tanh(functional::linear(s, at("W_a")).unsqueeze(1) + keys), at("v"));
      const torch::Tensor c = torch::bmm(torch::softmax(e, 1).transpose(1, 2), memory).squeeze(1);
      const auto gate = [&](const std::string& g, const torch::Tensor& h) {
        return functional::linear(y, at("W_" + g), at("b_" + g)) + functional::linear(h, at("U_" + g)) +
               functional::linear(c, at("V_" + g));
      };
      const torch::Tensor z = torch::sigmoid(gate("z", s)), r = torch::sigmoid(gate("r", s));
      s = (1 - z) * s + z * torch::tanh(gate("n", r * s));
      states.push_back(s);
    }
    return torch::stack(states, 1);
  }
  torch::Tensor forward() const {
    switch (work.what) {
      case layer::multi_head:
        return attend("");
      case layer::encoder:
        return encode();
      case layer::decoder:
        return decode();
      case layer::conv1d:
        return torch::conv1d(x, learned.at("weight"), learned.at("bias"), 1, work.width / 2);
      default:
        return torch::conv2d(x, learned.at("weight"), learned.at("bias"), 1, 1);
    }
  }
  // From [batch, places, features] to PyTorch's layout, and back.
  torch::Tensor arranged(const torch::Tensor& t) const {
    return is_convolution() ? t.movedim(-1, 1).contiguous() : t;
  }
  torch::Tensor rearranged(const torch::Tensor& t) const { return is_convolution() ? t.movedim(1, -1) : t; }
  torch::Tensor given(const std::vector<float>& v, int places, int features) const {
    const long b = work.batch, side = work.side;
    return arranged(is_image() ? numbers(v, {b, side, side, features})
                               : numbers(v, {b, places, features}).slice(1, 0, work.steps).clone());
  }
  template <class G>
  void load() {
    const tenon::parameters<G> theta(first_parameters);
    theta.for_each([&](std::string_view path, const auto& values) {
      std::string name(path.substr(2));  // after "y."
      if (work.what == layer::decoder) name.resize(name.rfind("_l0"));
      std::vector<long> sizes;
      for (std::size_t axis = 0; axis < values.dimension(); ++axis) sizes.push_back(long(values.shape(axis)));
      torch::Tensor copy = torch::from_blob(const_cast<float*>(values.data()), sizes).clone();
      if (is_convolution() && name == "weight") {  // in Tenon the features of a neighbour are side by side
        const long out = work.features_out(), in = work.features_in();
        copy = is_image() ? copy.view({out, 3, 3, in}) : copy.view({out, work.width, in});
        copy = copy.movedim(-1, 1).contiguous();
      }
      learned[name] = copy;
    });
    for (auto& [name, value] : learned) value.requires_grad_(work.backward);
  }

 public:
  explicit torch_layer(const sequence_work& w) : work(w) {
    torch::set_num_threads(1);
    with_graph(w, [&]<class G, int>() { load<G>(); });
    x = given(w.x, w.places(), w.features_in()).requires_grad_(w.backward);
    adjoint = given(w.output_adjoint, w.places_at_most(), w.features_out());
    if (w.what == layer::decoder)
      memory = numbers(w.memory, {w.batch, w.source_steps, 2 * w.width}).requires_grad_(w.backward);
  }
  void run() override {
    if (!work.backward) {
      torch::InferenceMode guard;
      answer = forward();
      return;
    }
    for (auto& [name, value] : learned) value.mutable_grad() = torch::Tensor();
    x.mutable_grad() = torch::Tensor();
    if (memory.defined()) memory.mutable_grad() = torch::Tensor();
    forward().backward(adjoint);
    answer = x.grad();
  }
  std::span<const float> output() const override {
    plain = rearranged(answer).contiguous();
    return {plain.data_ptr<float>(), static_cast<std::size_t>(plain.numel())};
  }
};

const bool entered = sequence_contest::enter(
    "PyTorch", 3,
    [](const sequence_work& w) -> std::unique_ptr<contender> { return std::make_unique<torch_layer>(w); });

}  // namespace
}  // namespace bench
