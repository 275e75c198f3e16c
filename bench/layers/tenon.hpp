// Tenon on any of its backends: graphs of one layer.
#pragma once

#include "layers/work.hpp"
#include <tenon/tenon.hpp>

namespace bench {

// clang-format off
using classes_graph = tenon::graph<"classes",
    tenon::input<"logits", tenon::features<layer_work::classes>>,
    tenon::output<"logits">>;

using embedding_graph = tenon::graph<"embedding",
    tenon::input<"tokens", tenon::token<layer_work::symbols>, tenon::steps<layer_work::tokens>>,
    tenon::node<"rows", tenon::nn::embedding<layer_work::symbols, layer_work::width>, "tokens">,
    tenon::output<"rows">>;

template <int Steps>
using attention_graph = tenon::graph<"attention",
    tenon::input<"query", tenon::features<layer_work::width>>,
    tenon::input<"states", tenon::features<layer_work::width>, tenon::steps<Steps>>,
    tenon::node<"context", tenon::nn::attention<tenon::nn::score::dot>, "query", "states">,
    tenon::output<"context">>;
// clang-format on

template <class View>
void append(std::vector<float>& to, const View& from) {
  for (const float x : from) to.push_back(x);
}

template <int Batch, class Backend>
class tenon_cross_entropy final : public contender {
  using G = classes_graph;
  const layer_work& work;
  tenon::parameters<G> theta{tenon::zeros{}}, gradients{tenon::zeros{}};
  tenon::differentiation<G, tenon::losses::cross_entropy<"logits">, tenon::batch<Batch>, tenon::input_gradients,
                         tenon::on<Backend>>
      learn;
  float loss = 0;
  mutable std::vector<float> answer;

 public:
  explicit tenon_cross_entropy(const layer_work& w) : work(w) {
    set_input<"logits">(learn, work.x);
    set_input<"target">(learn, work.index);
  }
  void run() override {
    loss = learn.forward(std::as_const(theta));
    if (work.backward) learn.backward(std::as_const(theta), gradients);
  }
  std::span<const float> output() const override {
    answer.clear();
    if (work.backward) append(answer, input_gradient<"logits">(learn));
    else answer.push_back(loss);
    return answer;
  }
};

template <int Batch, class Backend>
class tenon_gather final : public contender {
  using G = embedding_graph;
  tenon::parameters<G> theta{tenon::zeros{}};
  tenon::inference<G, tenon::batch<Batch>, tenon::on<Backend>> layer;
  mutable std::vector<float> answer;

 public:
  explicit tenon_gather(const layer_work& w) {
    std::copy(w.x.begin(), w.x.end(), get<"rows.weight">(theta).data());
    set_input<"tokens">(layer, tenon::view<const int>(w.index.data(), {w.batch, w.tokens}, {w.tokens, 1}));
  }
  void run() override { layer.run(std::as_const(theta)); }
  std::span<const float> output() const override {
    answer.clear();
    append(answer, get<"rows">(layer));
    return answer;
  }
};

template <int Batch, class Backend>
class tenon_scatter final : public contender {
  using G = embedding_graph;
  const layer_work& work;
  tenon::parameters<G> theta{tenon::zeros{}}, gradients{tenon::zeros{}};
  tenon::differentiation<G, void, tenon::batch<Batch>, tenon::on<Backend>> learn;

 public:
  explicit tenon_scatter(const layer_work& w) : work(w) {
    std::copy(w.x.begin(), w.x.end(), get<"rows.weight">(theta).data());
    set_input<"tokens">(learn, tenon::view<const int>(w.index.data(), {w.batch, w.tokens}, {w.tokens, 1}));
  }
  void run() override {
    learn.forward(std::as_const(theta));
    gradients.set_zero();
    learn.backward(std::as_const(theta), gradients,
                   tenon::view<const float>(work.output_adjoint.data(), {work.batch, work.tokens, work.width},
                                            {work.tokens * work.width, work.width, 1}));
  }
  std::span<const float> output() const override {
    const auto g = get<"rows.weight">(gradients);
    return {g.data(), g.size()};
  }
};

template <int Steps, int Batch, class Backend>
class tenon_attention final : public contender {
  using G = attention_graph<Steps>;
  const layer_work& work;
  tenon::parameters<G> theta{tenon::zeros{}}, gradients{tenon::zeros{}};
  tenon::inference<G, tenon::batch<Batch>, tenon::on<Backend>> layer;
  tenon::differentiation<G, void, tenon::batch<Batch>, tenon::input_gradients, tenon::on<Backend>> learn;
  mutable std::vector<float> answer;

  void give(auto& session) {
    const std::ptrdiff_t d = work.width;
    set_input<"query">(session, work.query);
    set_input<"states">(session,
                        tenon::view<const float>(work.x.data(), {Batch, Steps, d}, {Steps * d, d, 1}));
  }

 public:
  explicit tenon_attention(const layer_work& w) : work(w) {
    give(layer);
    give(learn);
  }
  void run() override {
    if (!work.backward) return layer.run(std::as_const(theta));
    learn.forward(std::as_const(theta));
    learn.backward(
        std::as_const(theta), gradients,
        tenon::view<const float>(work.output_adjoint.data(), {work.batch, work.width}, {work.width, 1}));
  }
  std::span<const float> output() const override {
    answer.clear();
    if (!work.backward) {
      append(answer, get<"context">(layer));
    } else {
      append(answer, input_gradient<"query">(learn));
      append(answer, input_gradient<"states">(learn));
    }
    return answer;
  }
};

template <class Backend>
std::unique_ptr<contender> make_tenon(const layer_work& w) {
  std::unique_ptr<contender> made;
  switch (w.what) {
    case layer::cross_entropy:
      with_size<1, 32>(w.batch,
                       [&]<int B>() { made = std::make_unique<tenon_cross_entropy<B, Backend>>(w); });
      break;
    case layer::embedding:
      if (w.backward) made = std::make_unique<tenon_scatter<32, Backend>>(w);
      else made = std::make_unique<tenon_gather<32, Backend>>(w);
      break;
    case layer::attention:
      with_size<10, 50, 200>(w.steps,
                             [&]<int T>() { made = std::make_unique<tenon_attention<T, 32, Backend>>(w); });
  }
  return made;
}

}  // namespace bench
