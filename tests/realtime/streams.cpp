// The streams of the examples, for a thread that must not wait. See check.
#include "../../examples/amplifier/networks.hpp"
#include "../../examples/captions.hpp"
#include "../../examples/dates.hpp"
#include "../../examples/translate/bahdanau.hpp"
#include "../../examples/translate/sutskever.hpp"
#include "../../examples/translate/transformer.hpp"
#include "../../examples/translate/tutorial.hpp"
#include "../../examples/word_model.hpp"
#include "realtime/callbacks.hpp"
#include "tenon/nn/nn.hpp"

using namespace tenon;
using namespace tenon::nn;
using namespace tenon::test;

// Every kind of layer that sees earlier steps.
using filters =
    graph<"filters", input<"x", features<1>, steps<512>>,
          node<"a", chain<conv1d<8, 3, is_causal, dilation<4>>, activation::tanh>, "x">,
          node<"b", max_pool1d<2, stride<1>, is_causal>, "a">, node<"y", gru<8>, "b">, output<"y">>;
using heads = graph<"heads", input<"x", features<4>, steps<32>>, node<"p", learned_positions<32>, "x">,
                    node<"y", transformer_encoder<4, 2, 8, is_causal>, "p">, output<"y">>;

int main() {
  int wrong = 0;
  wrong += check_realtime<streaming<amplifier::recurrent_network>>("amplifier, recurrent");
  wrong +=
      check_realtime<streaming<amplifier::recurrent_network, block<64>>>("amplifier, recurrent, in blocks");
  wrong += check_realtime<streaming<amplifier::convolutional_network, block<64>>>(
      "amplifier, convolutional, in blocks");
  wrong += check_realtime<streaming<filters, batch<2>>>("filters");
  wrong += check_realtime<streaming<filters, block<64>>>("filters in blocks");
  wrong += check_realtime<streaming<heads, block<8>>>("attention in blocks");
  wrong += check_realtime<streaming<digit_captions::network, batch<4>>>("captions");
  wrong += check_realtime<streaming<dates_as_numbers::model<true, 1.0>::writer, batch<4>>>("dates");
  wrong +=
      check_realtime<streaming<translation::bahdanau<translation::small>::network, batch<4>>>("bahdanau");
  wrong +=
      check_realtime<streaming<translation::sutskever<translation::small>::network, batch<4>>>("sutskever");
  wrong += check_realtime<streaming<translation::transformer<translation::small>::network, batch<4>>>(
      "transformer");
  wrong +=
      check_realtime<streaming<translation::tutorial<translation::small, 1.0>::writer, batch<4>>>("tutorial");
  wrong += check_realtime<streaming<word_model::network<200, 32, 8, 0.2>>>("words");

  static const parameters<amplifier::recurrent_network> theta(seed{1});
  static streaming<amplifier::recurrent_network> live(theta);
  static streaming<amplifier::recurrent_network, block<64>> blocks(theta);
  live.prepare();
  blocks.prepare();
  const std::vector<float> samples(64, 0.5f);
  const std::span<const float> all(samples);
  static_assert(noexcept(live.step(all.first<1>()))&& noexcept(blocks.run(all.first<64>())));
  wrong += allocations_of([&] {
             certain(live, all.first<1>());
             certain(blocks, all.first<64>());
             certain(blocks, all.first<7>());
           }) != 0;
  return wrong;
}
