// The cell as its equations, on any backend: streaming for a single step, inference for a sequence.
#pragma once

#include "own_cell/work.hpp"
#include "support/modes.hpp"
#include <tenon/tenon.hpp>

namespace bench {

struct mut1 : tenon::equations::symbols {
  static constexpr auto step(auto x, auto h) {
    auto z = sigmoid(W<"z">(x) + b<"z">);
    auto r = sigmoid(W<"r">(x) + U<"r">(h) + b<"r">);
    return tanh(U<"h">(r * h) + tanh(W<"h">(x)) + b<"h">) * z + h * (1 - z);
  }
};

// clang-format off
template <int N>
using own_cell_graph = tenon::graph<"own_cell",
    tenon::input<"x", tenon::features<N>, tenon::steps<32>>,
    tenon::node<"y", tenon::nn::recurrent<mut1, tenon::nn::hidden<N>>, "x">,
    tenon::output<"y">>;
// clang-format on

template <class Parameters>
void set_weights(Parameters& theta, const own_cell_work& work) {
  theta.for_each([&](std::string_view path, auto values) {  // path: y.W_z_l0
    const auto& from = work.weights.find(path.substr(2, 3))->second;
    std::copy(from.begin(), from.end(), values.data());
  });
}

template <int N, class Backend>
class tenon_step : public contender {
  const own_cell_work& work;
  tenon::parameters<own_cell_graph<N>> theta{tenon::zeros{}};
  tenon::streaming<own_cell_graph<N>, tenon::on<Backend>> live;
  std::span<const float> h;

 public:
  explicit tenon_step(const own_cell_work& w) : work(w) { set_weights(theta, work); }
  void reset() override { live.reset(); }
  void run() override { h = {live.step(std::as_const(theta), work.x).data(), N}; }
  std::span<const float> output() const override { return h; }
};

template <int N, class Backend>
class tenon_sequence final : public contender {
  const own_cell_work& work;
  tenon::parameters<own_cell_graph<N>> theta{tenon::zeros{}};
  tenon::inference<own_cell_graph<N>, tenon::on<Backend>> layer;

 public:
  explicit tenon_sequence(const own_cell_work& w) : work(w) { set_weights(theta, work); }
  void run() override {
    set_input<"x">(layer,
                   tenon::view<const float>(work.x.data(), {1, work.steps, N}, {work.steps * N, N, 1}));
    layer.run(std::as_const(theta));
  }
  std::span<const float> output() const override {
    return {get<"y">(layer).data(), static_cast<std::size_t>(work.steps) * N};
  }
};

template <class Backend>
std::unique_ptr<contender> make_tenon(const own_cell_work& w) {
  std::unique_ptr<contender> made;
  with_own_cell_size(w.size, [&]<int N>() {
    if (w.steps == 1) made = std::make_unique<tenon_step<N, Backend>>(w);
    else made = std::make_unique<tenon_sequence<N, Backend>>(w);
  });
  return made;
}

}  // namespace bench
