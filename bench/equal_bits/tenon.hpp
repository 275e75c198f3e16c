// Tenon with the options for equal bits that are defined where this is included.
#pragma once

#include "equal_bits/work.hpp"
#include "support/contest.hpp"
#include <tenon/tenon.hpp>

namespace bench {

using equal_bits_contest = contest<equal_bits_work>;

template <class Layer, int Width>
using layer_graph =
    tenon::graph<"layer", tenon::input<"x", tenon::features<Width>, tenon::steps<equal_bits_work::steps>>,
                 tenon::node<"y", Layer, "x">, tenon::output<"y">>;

template <class G, int Batch, class Backend>
class equal_bits_layer final : public contender {
  const equal_bits_work& work;
  const tenon::parameters<G> theta{tenon::seed{7}};
  tenon::parameters<G> gradients{tenon::zeros{}};
  tenon::inference<G, tenon::batch<Batch>, tenon::on<Backend>> run_;
  tenon::differentiation<G, void, tenon::batch<Batch>, tenon::input_gradients, tenon::on<Backend>> learn_;
  mutable std::vector<float> answer;

  tenon::view<const float> numbers(const std::vector<float>& of) const {
    const std::ptrdiff_t d = work.width, steps = work.steps;
    return {of.data(), {work.batch, steps, d}, {steps * d, d, 1}};
  }

 public:
  explicit equal_bits_layer(const equal_bits_work& w) : work(w) {
    set_input<"x">(run_, numbers(work.x));
    set_input<"x">(learn_, numbers(work.x));
  }
  void run() override {
    if (!work.backward) return run_.run(theta);
    learn_.forward(theta);
    learn_.backward(theta, gradients, numbers(work.output_adjoint));
  }
  std::span<const float> output() const override {
    answer.clear();
    const auto append = [&](const auto& from) {
      for (std::size_t r = 0; r < from.shape(0); ++r)
        for (std::size_t t = 0; t < from.shape(1); ++t)
          for (const float y : from[r][t]) answer.push_back(y);
    };
    if (work.backward) append(input_gradient<"x">(learn_));
    else append(get<"y">(run_));
    return answer;
  }
};

template <class Backend>
std::unique_ptr<contender> make_tenon(const equal_bits_work& w) {
  std::unique_ptr<contender> made;
  const auto with_batch = [&]<class G>() {
    with_size<1, 32>(w.batch, [&]<int B>() { made = std::make_unique<equal_bits_layer<G, B, Backend>>(w); });
  };
  if (w.block)
    with_batch.template operator()<layer_graph<tenon::nn::transformer_encoder<128, 8, 512>, 128>>();
  else
    with_size<32, 128, 512>(
        w.width, [&]<int N>() { with_batch.template operator()<layer_graph<tenon::nn::lstm<N>, N>>(); });
  return made;
}

}  // namespace bench
