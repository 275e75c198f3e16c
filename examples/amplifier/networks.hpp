// Two networks that learn an amplifier. Each takes one sample at a time and answers at once, without delay.
#pragma once

#include <tenon/tenon.hpp>

namespace amplifier {
using namespace tenon;
using namespace tenon::nn;

// A recurrent network, after Wright, Damskägg and Välimäki (2019), "Real-time black-box modelling with recurrent
// neural networks". It learns from windows of 2,048 samples; until its state is that of the signal, after 1,024,
// errors do not count.
struct recurrent_network : graph<"recurrent",
    input<"in",    features<1>, steps<2048>>,
    node<"states", lstm<16>,    "in">,
    node<"out",    linear<1>,   "states">,
    output<"out">> {
  static constexpr int window = 2048, warm_up = 1024;
};

// A convolutional network, after Damskägg, Juvela, Thuillier and Välimäki (2019), "Deep learning for tube amplifier
// emulation". A layer sees a sample, the one `Dilation` earlier and the one 2 * `Dilation` earlier. Its activations are
// mapped and added to its input, which is the input of the next layer, and they are added to the head, which the output
// reads.
template <int Channels, int Dilation>
using activations = chain<conv1d<Channels, 3, is_causal, dilation<Dilation>>, activation::tanh>;
constexpr int longest = 8192;

template <int Channels>
using first_layer = graph<"first_layer",
    input<"x",     features<Channels>, steps<longest>>,
    node<"head",   activations<Channels, 1>, "x">,
    node<"mapped", linear<Channels>,         "head">,
    node<"next",   add,                      "x", "mapped">,
    output<"next">, output<"head">>;

template <int Channels, int Dilation>
using layer = graph<"layer",
    input<"x",     features<Channels>, steps<longest>>,
    input<"sum",   features<Channels>, steps<longest>>,
    node<"active", activations<Channels, Dilation>, "x">,
    node<"mapped", linear<Channels>,                "active">,
    node<"next",   add,                             "x", "mapped">,
    node<"head",   add,                             "sum", "active">,
    output<"next">, output<"head">>;

template <int Channels, int Dilation>
using last_layer = graph<"last_layer",
    input<"x",     features<Channels>, steps<longest>>,
    input<"sum",   features<Channels>, steps<longest>>,
    node<"active", activations<Channels, Dilation>, "x">,
    node<"head",   add,                             "sum", "active">,
    output<"head">>;

// Ten layers of 16 channels and ten of 8. They see 1 + 2 * 2 * 1,023 = 4,093 samples, 85 ms at 48 kHz.
struct convolutional_network : graph<"convolutional",
    input<"in",    features<1>, steps<longest>>,
    node<"wide",   linear<16>,       "in">,
    node<"a0",     first_layer<16>,  "wide">,
    node<"a1",     layer<16, 2>,     "a0", "a0.head">,
    node<"a2",     layer<16, 4>,     "a1", "a1.head">,
    node<"a3",     layer<16, 8>,     "a2", "a2.head">,
    node<"a4",     layer<16, 16>,    "a3", "a3.head">,
    node<"a5",     layer<16, 32>,    "a4", "a4.head">,
    node<"a6",     layer<16, 64>,    "a5", "a5.head">,
    node<"a7",     layer<16, 128>,   "a6", "a6.head">,
    node<"a8",     layer<16, 256>,   "a7", "a7.head">,
    node<"a9",     layer<16, 512>,   "a8", "a8.head">,
    node<"narrow", linear<8>,        "a9">,
    node<"head",   linear<8>,        "a9.head">,
    node<"b0",     layer<8, 1>,      "narrow", "head">,
    node<"b1",     layer<8, 2>,      "b0", "b0.head">,
    node<"b2",     layer<8, 4>,      "b1", "b1.head">,
    node<"b3",     layer<8, 8>,      "b2", "b2.head">,
    node<"b4",     layer<8, 16>,     "b3", "b3.head">,
    node<"b5",     layer<8, 32>,     "b4", "b4.head">,
    node<"b6",     layer<8, 64>,     "b5", "b5.head">,
    node<"b7",     layer<8, 128>,    "b6", "b6.head">,
    node<"b8",     layer<8, 256>,    "b7", "b7.head">,
    node<"b9",     last_layer<8, 512>, "b8", "b8.head">,
    node<"out",    linear<1>,        "b9">,
    output<"out">> {
  static constexpr int window = longest, warm_up = 4092;  // until all that it sees is signal
};

}  // namespace amplifier
