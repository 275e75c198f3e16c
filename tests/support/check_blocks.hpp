// check_blocks_on<Backend>: streams in blocks on a device.
#pragma once

#include "tenon/engine/session/session.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

#include <array>
#include <type_traits>
#include <vector>

namespace tenon::test {
using namespace nn;

// Two rows, in blocks in which they end or rest: on the device as step by step here.
template <class Backend>
void check_blocks_on() {
  using remembering = graph<"remembering", input<"word", token<9>, steps<40>>,
                            node<"e", embedding<9, 4>, "word">, node<"l", lstm<5>, "e">,
                            node<"c", chain<conv1d<4, 3, is_causal, dilation<2>>, activation::tanh>, "l">,
                            node<"y", gru<3>, "c">, output<"y">>;
  const auto check = [](const auto& theta) {
    using G = typename std::remove_cvref_t<decltype(theta)>::graph_type;
    streaming<G, batch<3>, block<4>, on<Backend>> there(theta);
    streaming<G> first(theta), second(theta);
    for (int pass = 0; pass < 2; ++pass) {
      there.reset(), first.reset(), second.reset();
      for (const auto& words :
           {std::vector<std::vector<int>>{{1, 2, 3}, {4}}, {{}, {5, 6, 7, 8}}, {{0, 1}, {3}}}) {
        const auto y = there.run(words);
        const auto compare = [&](auto& single, std::size_t r) {
          for (std::size_t t = 0; t < y.shape(1); ++t) {
            if (t >= words[r].size()) {
              for (std::size_t k = 0; k < y.shape(2); ++k) CHECK(y(r, t, k) == 0);
              continue;
            }
            const auto z = single.step(std::array{words[r][t]});
            for (std::size_t k = 0; k < y.shape(2); ++k)
              CHECK(y(r, t, k) == doctest::Approx(z(0, k)).epsilon(1e-5));
          }
        };
        compare(first, 0);
        compare(second, 1);
      }
    }
  };
  check(parameters<remembering>(seed{3}));
  check(parameters<graph<"all", input<"word", token<9>, steps<6>>,
                         node<"e", chain<embedding<9, 4>, learned_positions<6>>, "word">,
                         node<"y", transformer_encoder<4, 2, 5, is_causal>, "e">, output<"y">>>(seed{4}));
}

}  // namespace tenon::test
