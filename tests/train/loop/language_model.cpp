// The first 20 batches of a language model of characters against PyTorch, from the same weights: windows of a text, the state of two
// layers of LSTM carried from one to the next, a schedule, and gradients that are clipped.
#include "support/compare.hpp"
#include "support/first_windows.hpp"
#include "support/machines.hpp"
#include "tenon/data/contiguous.hpp"
#include "tenon/io/parameters.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/schedules/schedule.hpp"
#include "tenon/train/trainer/shards.hpp"

namespace tenon::test {
using namespace nn;

using characters =
    graph<"characters", input<"text", token<48>, steps<16>>, input<"h0", layers<2>, features<16>>,
          input<"c0", layers<2>, features<16>>, node<"embedded", embedding<48, 8>, "text">,
          node<"states", lstm<16, layers<2>>, "embedded", "h0", "c0">, node<"logits", linear<48>, "states">,
          output<"logits">, output<"states.h_n">, output<"states.c_n">>;

TEST_CASE("the first 20 batches of a language model lose what PyTorch's lose") {
  const golden::file f = golden::read("language_model");
  const std::vector<int> text = as_ints(f["tokens"]);
  const auto data = contiguous<"text", carry<"states.h_n", "h0">, carry<"states.c_n", "c0">>(text);

  parameters<characters> theta(zeros{});
  load(theta, std::string(TENON_GOLDEN_DIR) + "/language_model.safetensors");
  // In two shards, as in the example of characters: each carries the states of its rows.
  trainer<characters, losses::cross_entropy<"logits">, optimizers::adam, batch<4>, shards<2>> train(
      theta, {}, {}, threads{2});
  train.max_norm = 1;
  check_first_windows(f, data, train, schedules::cosine(1e-2), 1e-5);
}

}  // namespace tenon::test
