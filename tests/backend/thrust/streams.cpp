// Streams that keep earlier steps on Thrust's device: they give the CPU backend's results, and the program does not access their memory.
#include "backend/thrust/fenced.hpp"
#include "support/check_blocks.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

#include <array>
#include <vector>

namespace tenon::test {
using namespace nn;

using looking_back = graph<"looking back", input<"word", token<9>, steps<6>>,
                           node<"e", chain<embedding<9, 4>, learned_positions<6>>, "word">,
                           node<"c", chain<conv1d<4, 2, is_causal>, activation::tanh>, "e">,
                           node<"y", transformer_encoder<4, 2, 5, is_causal>, "c">, output<"y">>;

TEST_CASE("what a stream keeps is in the memory of the device") {
  const parameters<looking_back> theta(seed{3});
  streaming<looking_back, batch<3>> here(theta);
  streaming<looking_back, batch<3>, on<fenced>> there(theta);
  const auto run = [](auto& live, auto& next) {
    std::vector<float> all;
    const auto step = [&](auto& stream, const std::vector<int>& words) {
      const auto y = stream.step(words);
      for (std::size_t r = 0; r < words.size(); ++r)
        for (int k = 0; k < 4; ++k) all.push_back(y(r, k));
    };
    live.reset();
    step(live, {1, 2, 3});
    step(live, {4, 5, 6});
    live.permute_rows(std::array{2, 0, 2});
    step(live, {7, 8, 0});
    copy_states(live, next);
    step(next, {1, 1, 2});
    step(live, {3, 2, 1});
    return all;
  };
  streaming<looking_back, batch<4>> next_here(theta);
  streaming<looking_back, batch<4>, on<fenced>> next_there(theta);
  for (int pass = 0; pass < 2; ++pass) {
    const std::vector<float> expected = run(here, next_here), got = run(there, next_there);
    REQUIRE(expected.size() == got.size());
    for (std::size_t k = 0; k < expected.size(); ++k)
      CHECK(got[k] == doctest::Approx(expected[k]).epsilon(1e-5));
  }
}

TEST_CASE("blocks of steps on a device") { check_blocks_on<fenced>(); }

}  // namespace tenon::test
