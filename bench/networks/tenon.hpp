// Tenon on any of its backends.
#pragma once

#include "networks/graphs.hpp"
#include "networks/work.hpp"

namespace bench {

template <class Session>
void give_inputs(Session& session, const network_work& w) {
  const std::ptrdiff_t batch = w.batch, steps = w.steps();
  const tenon::view<const int> tokens(w.tokens.data(), {batch, steps}, {steps, 1});
  constexpr const auto& net = Session::plan::net;
  constexpr bool numbers = !net.edges[net.inputs[0]].is_token();
  if constexpr (numbers) {
    const std::ptrdiff_t h = w.hidden;
    set_input<"x">(session, tenon::view<const float>(w.x.data(), {batch, steps, h}, {steps * h, h, 1}));
  } else {
    set_input<"tokens">(session, tokens);
  }
}

template <class G, int Batch, class Backend>
class tenon_inference final : public contender {
  const network_work& work;
  tenon::parameters<G> theta{first_parameters};
  tenon::inference<G, tenon::batch<Batch>, tenon::on<Backend>> net;

 public:
  explicit tenon_inference(const network_work& w) : work(w) {}
  void run() override {
    give_inputs(net, work);
    set_input<"index">(net, work.index);
    net.run(std::as_const(theta));
  }
  std::span<const float> output() const override {
    const auto y = get<"logits">(net);
    return {y.data(), y.size()};
  }
};

template <class G, int Batch, class Backend>
class tenon_training final : public contender {
  const network_work& work;
  tenon::parameters<G> theta{first_parameters};
  using trainer =
      tenon::trainer<G, tenon::losses::cross_entropy<"logits">, tenon::optimizers::adam, tenon::batch<Batch>, tenon::on<Backend>>;
  std::unique_ptr<trainer> training;
  float loss = 0;

 public:
  explicit tenon_training(const network_work& w) : work(w) { reset(); }
  void reset() override {
    theta.initialize(first_parameters);
    training = std::make_unique<trainer>(theta, tenon::optimizers::adam{.learning_rate = 1e-4});
  }
  void run() override {
    give_inputs(*training, work);
    if constexpr (std::same_as<G, index_lookup_graph>) set_input<"index">(*training, work.index);
    const std::ptrdiff_t steps = work.steps();
    if constexpr (std::same_as<G, characters_graph>)
      set_input<"target">(*training, tenon::view<const int>(work.target.data(), {Batch, steps}, {steps, 1}));
    else set_input<"target">(*training, work.target);
    loss = training->step();
  }
  // All sizes are constants: the session and its workspace, the parameters, their gradients and Adam's two states.
  double peak_bytes() override {
    if (std::same_as<Backend, tenon::backend::reference>) return 0;
    return sizeof(trainer) + double{trainer::workspace_bytes} + 4.0 * sizeof(float) * theta.block_size;
  }
  std::span<const float> output() const override { return {&loss, 1}; }
};

template <class Backend>
std::unique_ptr<contender> make_tenon(const network_work& w) {
  std::unique_ptr<contender> made;
  const auto trains = [&]<class G, int Batch>() {
    made = std::make_unique<tenon_training<G, Batch, Backend>>(w);
  };
  switch (w.which) {
    case network::index_lookup:
      if (!w.trains)
        with_size<1, 32, 128>(w.batch, [&]<int B>() {
          made = std::make_unique<tenon_inference<index_lookup_graph, B, Backend>>(w);
        });
      else with_size<32, 128>(w.batch, [&]<int B>() { trains.template operator()<index_lookup_graph, B>(); });
      break;
    case network::surnames:
      trains.template operator()<surnames_graph, 64>();
      break;
    case network::characters:
      trains.template operator()<characters_graph, 32>();
      break;
    case network::stack:
      with_size<128, 256, 512, 1024>(w.hidden, [&]<int H>() {
        constexpr bool naive = std::same_as<Backend, tenon::backend::reference>;
        if constexpr (H <= 128 || !naive)  // with larger sizes, naive loops take seconds
          trains.template operator()<stack_graph<H>, 32>();
      });
  }
  return made;
}

}  // namespace bench
