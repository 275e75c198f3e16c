// Streams, of numbers and of tokens, also in blocks, with states that are read, set and moved, and a differentiation with the caller's adjoints.
#include <tenon/nn/transformer.hpp>
#include <tenon/tenon.hpp>

#include <vector>

namespace streamed {

using causal =
    tenon::graph<"causal", tenon::input<"x", tenon::features<4>, tenon::steps<6>>,
                 tenon::input<"word", tenon::token<5>, tenon::steps<6>>,
                 tenon::node<"e", tenon::nn::embedding<5, 4>, "word">,
                 tenon::node<"both", tenon::nn::concatenate, "x", "e">,
                 tenon::node<"a", tenon::nn::transformer_encoder<8, 2, 4, tenon::nn::is_causal>, "both">,
                 tenon::node<"states", tenon::nn::lstm<3, tenon::layers<2>>, "a">,
                 tenon::node<"y", tenon::nn::linear<2>, "states">, tenon::output<"y">>;
using stream = tenon::streaming<causal, tenon::batch<2>>;

float run(stream& live, const tenon::parameters<causal>& theta, const std::vector<std::vector<float>>& x,
          const std::vector<int>& words) {
  live.step(theta, x, words);
  live.permute_rows(std::vector<int>{1, 0});
  const auto y = tenon::get<"y">(live);
  live.reset();
  return y(0, 1);
}

// The same in blocks, and for a thread with a deadline.
using blocks = tenon::streaming<causal, tenon::batch<2>, tenon::block<4>>;
float run_block(blocks& live, const tenon::parameters<causal>& theta,
                const std::vector<std::vector<std::vector<float>>>& x,
                const std::vector<std::vector<int>>& words) {
  live.run(theta, x, words);
  live.prepare();
  return live.try_step(x[0][0], words[0]) == tenon::step_status::taken ? tenon::get<"y">(live)(0, 0, 1) : 0;
}
using windowed = tenon::graph<"windowed", tenon::input<"x", tenon::features<4>, tenon::steps<6>>,
                              tenon::node<"states", tenon::nn::gru<3>, "x">,
                              tenon::node<"y", tenon::nn::linear<2>, "states">, tenon::output<"y">>;
using given = tenon::differentiation<windowed, void, tenon::batch<2>>;
float backward(given& both, const tenon::parameters<windowed>& theta, tenon::parameters<windowed>& gradients,
               const std::vector<std::vector<std::vector<float>>>& x) {
  tenon::set_input<"x">(both, x);
  both.forward(theta);
  both.backward(theta, gradients);
  return tenon::get<"y">(both)(0, 0, 1);
}

using judged = tenon::differentiation<causal, tenon::losses::mse<"y">>;
float loss(judged& both, const tenon::parameters<causal>& theta, tenon::parameters<causal>& gradients) {
  const float found = both.forward(theta);
  both.backward(theta, gradients);
  return found;
}

}  // namespace streamed
