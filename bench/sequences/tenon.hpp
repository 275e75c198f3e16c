// Tenon on any of its backends: graphs of one layer, "y".
#pragma once

#include "sequences/work.hpp"
#include <tenon/tenon.hpp>

namespace bench {

inline constexpr tenon::seed first_parameters{7};

// clang-format off
template <int Features, int Heads>
using heads_graph = tenon::graph<"heads",
    tenon::input<"x", tenon::features<Features>, tenon::steps<sequence_work::most_steps>>,
    tenon::node<"y", tenon::nn::multi_head<Features, Heads>, "x">,
    tenon::output<"y">>;

template <int Features, int Steps>
using encoder_graph = tenon::graph<"encoder",
    tenon::input<"x", tenon::features<Features>, tenon::steps<Steps>>,
    tenon::node<"y", tenon::nn::transformer_encoder<Features, 8, 4 * Features>, "x">,
    tenon::output<"y">>;

// The decoder of Bahdanau et al. 2015, appendix A.2.2, without its maxout output
template <int Units>
struct attending_gru : tenon::equations::symbols {
  static constexpr auto step(auto y, auto s, auto memory) {
    const auto e = matrix<"v", 1>(tanh(W<"a", Units>(s) + U<"a", Units>(memory)));
    const auto c = sum<"source">(softmax<"source">(e) * memory);
    const auto z = sigmoid(W<"z">(y) + U<"z">(s) + V<"z">(c) + b<"z">);
    const auto r = sigmoid(W<"r">(y) + U<"r">(s) + V<"r">(c) + b<"r">);
    const auto n = tanh(W<"n">(y) + U<"n">(r * s) + V<"n">(c) + b<"n">);
    return (1 - z) * s + z * n;
  }
};
template <int Units>
using decoder_graph = tenon::graph<"decoder",
    tenon::input<"x", tenon::features<Units>, tenon::steps<20, "target">>,
    tenon::input<"memory", tenon::features<2 * Units>, tenon::steps<sequence_work::source_steps, "source">>,
    tenon::node<"y", tenon::nn::recurrent<attending_gru<Units>, tenon::nn::hidden<Units>>, "x", "memory">,
    tenon::output<"y">>;

template <int Width>
using conv1d_graph = tenon::graph<"conv1d",
    tenon::input<"x", tenon::features<128>, tenon::steps<32>>,
    tenon::node<"y", tenon::nn::conv1d<128, Width, tenon::nn::same_padding>, "x">,
    tenon::output<"y">>;

using conv2d_graph = tenon::graph<"conv2d",
    tenon::input<"x", tenon::grid<sequence_work::side, sequence_work::side>, tenon::features<16>>,
    tenon::node<"y", tenon::nn::conv2d<32, 3, 3, tenon::nn::same_padding>, "x">,
    tenon::output<"y">>;
// clang-format on

template <class>
inline constexpr bool has_memory = false;
template <int Units>
inline constexpr bool has_memory<decoder_graph<Units>> = true;

// Calls f<G, Batch>() for the graph and the batch of a work.
template <class F>
void with_graph(const sequence_work& w, F f) {
  switch (w.what) {
    case layer::multi_head:
      with_size<1, 32>(w.batch, [&]<int B>() {
        if (w.width == 64) f.template operator()<heads_graph<64, 4>, B>();
        else f.template operator()<heads_graph<256, 8>, B>();
      });
      break;
    case layer::encoder:
      if (w.width == 128) f.template operator()<encoder_graph<128, 32>, 32>();
      else f.template operator()<encoder_graph<512, 64>, 8>();
      break;
    case layer::decoder:
      with_size<64, 256>(w.width, [&]<int U>() { f.template operator()<decoder_graph<U>, 32>(); });
      break;
    case layer::conv1d:
      with_size<3, 5>(w.width, [&]<int N>() { f.template operator()<conv1d_graph<N>, 32>(); });
      break;
    case layer::conv2d:
      f.template operator()<conv2d_graph, 32>();
  }
}

// Numbers [batch, places, features]; [batch, height, width, features] for a grid.
inline tenon::view<const float> numbers_of(const sequence_work& w, const std::vector<float>& numbers,
                                           int of_a_row, int features) {
  const std::ptrdiff_t d = features, places = of_a_row, side = w.side;
  if (w.what == layer::conv2d)
    return {numbers.data(), {w.batch, side, side, d}, {places * d, side * d, d, 1}};
  return {numbers.data(), {w.batch, places, d}, {places * d, d, 1}};
}
// Appends the first steps of each row, in C order, for any strides.
template <class View>
void append(std::vector<float>& to, const View& from, int steps) {
  for (std::size_t row = 0; row < from.shape(0); ++row)
    for (std::size_t step = 0; step < std::min(from.shape(1), std::size_t(steps)); ++step)
      for (const float x : from[row][step]) to.push_back(x);
}

template <class G, int Batch, class Backend>
class tenon_layer final : public contender {
  using running = tenon::inference<G, tenon::batch<Batch>, tenon::on<Backend>>;
  using learning =
      tenon::differentiation<G, void, tenon::batch<Batch>, tenon::input_gradients, tenon::on<Backend>>;
  const sequence_work& work;
  const tenon::parameters<G> theta{first_parameters};
  tenon::parameters<G> gradients{tenon::zeros{}};
  std::unique_ptr<running> run_;
  std::unique_ptr<learning> learn_;
  mutable std::vector<float> answer;

  void give(auto& session) {
    set_input<"x">(session, numbers_of(work, work.x, work.places(), work.features_in()));
    const std::ptrdiff_t steps = work.source_steps, d = 2 * work.width;
    if constexpr (has_memory<G>)
      set_input<"memory">(
          session, tenon::view<const float>(work.memory.data(), {work.batch, steps, d}, {steps * d, d, 1}));
  }

 public:
  explicit tenon_layer(const sequence_work& w) : work(w) {
    if (work.backward) {
      learn_ = std::make_unique<learning>();
      give(*learn_);
    } else {
      run_ = std::make_unique<running>();
      give(*run_);
    }
  }
  void run() override {
    if (!work.backward) return run_->run(theta);
    learn_->forward(theta);
    learn_->backward(theta, gradients,
                     numbers_of(work, work.output_adjoint, work.places_at_most(), work.features_out()));
  }
  std::span<const float> output() const override {
    answer.clear();
    if (work.backward) append(answer, input_gradient<"x">(*learn_), work.steps);
    else append(answer, get<"y">(*run_), work.steps);
    return answer;
  }
};

template <class Backend>
std::unique_ptr<contender> make_tenon(const sequence_work& w) {
  std::unique_ptr<contender> made;
  with_graph(w, [&]<class G, int B>() { made = std::make_unique<tenon_layer<G, B, Backend>>(w); });
  return made;
}

}  // namespace bench
