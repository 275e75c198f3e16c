// oneDNN's LSTM and GRU primitives, with their weights in the layout that the library requests.
#include "recurrent/work.hpp"

#include <dnnl.hpp>

#include <unordered_map>

namespace bench {
namespace {

using dnnl::memory;
using tag = memory::format_tag;

class onednn_layer final : public contender {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  dnnl::primitive layer;
  std::unordered_map<int, memory> there, back;  // arguments; states alternate between two places
  const recurrent_work& work;
  std::vector<float> x, y, h[2], c[2];
  bool odd = false;

  static memory::desc plain(memory::dims dims, tag order) { return {dims, memory::data_type::f32, order}; }
  static memory::desc any(memory::dims dims) { return plain(dims, tag::any); }
  memory of(std::vector<float>& v, memory::dims dims, tag order) {
    return {plain(dims, order), engine, v.data()};
  }

  // PyTorch's [gates * N, N] as oneDNN's ldigo; a GRU's gates r, z, n become z, r, n
  std::vector<float> gates_last(const std::vector<float>& w) const {
    const int g = work.gates(), n = work.size;
    std::vector<float> result(w.size());
    for (int k = 0; k < n; ++k)
      for (int a = 0; a < g; ++a)
        for (int o = 0; o < n; ++o)
          result[static_cast<std::size_t>((k * g + a) * n + o)] =
              w[static_cast<std::size_t>((gate(a) * n + o) * n + k)];
    return result;
  }
  int gate(int a) const { return work.kind == cell::gru && a < 2 ? 1 - a : a; }
  std::vector<float> biases() const {
    const auto n = static_cast<std::size_t>(work.size);
    std::vector<float> result;
    for (int a = 0; a < 4; ++a)
      for (std::size_t o = 0; o < n; ++o) {
        const std::size_t from = static_cast<std::size_t>(gate(a)) * n + o;
        if (work.kind == cell::lstm) result.push_back(work.bias_ih[from] + work.bias_hh[from]);
        else if (a < 2) result.push_back(work.bias_ih[from] + work.bias_hh[from]);
        else result.push_back(a == 2 ? work.bias_ih[from] : work.bias_hh[2 * n + o]);
      }
    return result;
  }
  memory reordered(std::vector<float> values, memory::dims dims, const memory::desc& wanted) {
    memory result(wanted, engine), given = of(values, dims, tag::ldigo);
    dnnl::reorder(given, result).execute(stream, given, result);
    stream.wait();
    return result;
  }

 public:
  explicit onednn_layer(const recurrent_work& w) : work(w), x(w.x), y(w.x.size()) {
    const memory::dim t = w.steps, n = w.size, g = w.gates();
    for (auto* v : {&h[0], &h[1], &c[0], &c[1]}) v->resize(static_cast<std::size_t>(n));
    const memory::dims sequence{t, 1, n}, state{1, 1, 1, n}, weights{1, 1, n, g, n}, bias{1, 1, 4, n};
    const auto order = tag::tnc, state_order = tag::ldnc;
    memory::desc weights_x, weights_h;
    const auto forward = dnnl::prop_kind::forward_inference;
    const auto direction = dnnl::rnn_direction::unidirectional_left2right;
    if (w.kind == cell::lstm) {
      const dnnl::lstm_forward::desc what(forward, direction, plain(sequence, order),
                                          plain(state, state_order), plain(state, state_order), any(weights),
                                          any(weights), plain(bias, tag::ldgo), plain(sequence, order),
                                          plain(state, state_order), plain(state, state_order));
      const dnnl::lstm_forward::primitive_desc how(what, engine);
      layer = dnnl::lstm_forward(how);
      weights_x = how.weights_layer_desc();
      weights_h = how.weights_iter_desc();
    } else {
      const dnnl::lbr_gru_forward::desc what(
          forward, direction, plain(sequence, order), plain(state, state_order), any(weights), any(weights),
          plain(bias, tag::ldgo), plain(sequence, order), plain(state, state_order));
      const dnnl::lbr_gru_forward::primitive_desc how(what, engine);
      layer = dnnl::lbr_gru_forward(how);
      weights_x = how.weights_layer_desc();
      weights_h = how.weights_iter_desc();
    }
    memory own_bias(plain(bias, tag::ldgo), engine);
    const std::vector<float> b = biases();
    std::copy(b.begin(), b.end(), static_cast<float*>(own_bias.get_data_handle()));
    there = {{DNNL_ARG_SRC_LAYER, of(x, sequence, order)},
             {DNNL_ARG_DST_LAYER, of(y, sequence, order)},
             {DNNL_ARG_WEIGHTS_LAYER, reordered(gates_last(w.weight_ih), weights, weights_x)},
             {DNNL_ARG_WEIGHTS_ITER, reordered(gates_last(w.weight_hh), weights, weights_h)},
             {DNNL_ARG_BIAS, own_bias}};
    back = there;
    for (auto* a : {&there, &back}) {
      const int from = a == &back ? 1 : 0;
      a->insert({DNNL_ARG_SRC_ITER, of(h[from], state, state_order)});
      a->insert({DNNL_ARG_DST_ITER, of(h[1 - from], state, state_order)});
      if (w.kind == cell::gru) continue;
      a->insert({DNNL_ARG_SRC_ITER_C, of(c[from], state, state_order)});
      a->insert({DNNL_ARG_DST_ITER_C, of(c[1 - from], state, state_order)});
    }
  }
  void reset() override {
    for (auto* v : {&h[0], &h[1], &c[0], &c[1]}) std::fill(v->begin(), v->end(), 0.f);
    odd = false;
  }
  void run() override {
    if (work.steps > 1) reset();
    layer.execute(stream, odd ? back : there);
    stream.wait();
    odd = !odd;
  }
  std::span<const float> output() const override { return y; }
};

std::unique_ptr<contender> make(const recurrent_work& w) { return std::make_unique<onednn_layer>(w); }

const bool entered = recurrent_contest::enter("oneDNN", 3, make);

}  // namespace
}  // namespace bench
