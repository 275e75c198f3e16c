// Tenon on any of its backends: streaming for a single step, inference for a sequence.
#pragma once

#include "recurrent/work.hpp"
#include "support/modes.hpp"
#include <tenon/tenon.hpp>

namespace bench {

template <class Layer, int N, int Steps>
using recurrent_graph = tenon::graph<"recurrent", tenon::input<"x", tenon::features<N>, tenon::steps<Steps>>,
                                     tenon::node<"y", Layer, "x">, tenon::output<"y">>;

template <class Parameters>
void set_weights(Parameters& theta, const recurrent_work& work) {
  theta.for_each([&](std::string_view path, auto values) {
    const auto& from = path == "y.weight_ih_l0"   ? work.weight_ih
                       : path == "y.weight_hh_l0" ? work.weight_hh
                       : path == "y.bias_ih_l0"   ? work.bias_ih
                                                  : work.bias_hh;
    std::copy(from.begin(), from.end(), values.data());
  });
}

template <class Layer, int N, class Backend>
class tenon_step : public contender {
  using G = recurrent_graph<Layer, N, 32>;
  const recurrent_work& work;
  tenon::parameters<G> theta{tenon::zeros{}};
  tenon::streaming<G, tenon::on<Backend>> live;
  std::span<const float> h;

 public:
  explicit tenon_step(const recurrent_work& w) : work(w) { set_weights(theta, work); }
  void reset() override { live.reset(); }
  void run() override { h = {live.step(std::as_const(theta), work.x).data_handle(), N}; }
  std::span<const float> output() const override { return h; }
};

template <class Layer, int N, class Backend>
class tenon_sequence final : public contender {
  using G = recurrent_graph<Layer, N, 32>;
  const recurrent_work& work;
  tenon::parameters<G> theta{tenon::zeros{}};
  tenon::inference<G, tenon::on<Backend>> layer;

 public:
  explicit tenon_sequence(const recurrent_work& w) : work(w) { set_weights(theta, work); }
  void run() override {
    set_input<"x">(layer,
                   tenon::view<const float>(work.x.data(), {1, work.steps, N}, {work.steps * N, N, 1}));
    layer.run(theta);
  }
  std::span<const float> output() const override {
    return {get<"y">(layer).data(), std::size_t(work.steps) * N};
  }
};

template <class Backend>
std::unique_ptr<contender> make_tenon(const recurrent_work& w) {
  std::unique_ptr<contender> made;
  with_recurrent_size(w.size, [&]<int N>() {
    if (w.kind == cell::lstm && w.steps == 1)
      made = std::make_unique<tenon_step<tenon::nn::lstm<N>, N, Backend>>(w);
    else if (w.kind == cell::lstm) made = std::make_unique<tenon_sequence<tenon::nn::lstm<N>, N, Backend>>(w);
    else if (w.steps == 1) made = std::make_unique<tenon_step<tenon::nn::gru<N>, N, Backend>>(w);
    else made = std::make_unique<tenon_sequence<tenon::nn::gru<N>, N, Backend>>(w);
  });
  return made;
}

}  // namespace bench
