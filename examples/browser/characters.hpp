// The network of `characters`, which learn_characters.cpp trains and characters.cpp runs in a browser: a language model of the characters of
// a text, one layer of LSTM (Graves 2013). Its file holds, beside the parameters, the characters in the order of their tokens.
#pragma once

#include <tenon/tenon.hpp>

namespace browser {

constexpr int different_characters = 65;  // of the text that it has learned
constexpr int units = 192;

// clang-format off
using character_model = tenon::graph<"characters",
    tenon::input<"text", tenon::token<different_characters>, tenon::steps<64>>,
    tenon::input<"h0",   tenon::features<units>>,
    tenon::input<"c0",   tenon::features<units>>,
    tenon::node<"embedded", tenon::nn::embedding<different_characters, 32>, "text">,
    tenon::node<"states",   tenon::nn::lstm<units>,                         "embedded", "h0", "c0">,
    tenon::node<"dropped",  tenon::nn::dropout<0.25>,                       "states">,
    tenon::node<"logits",   tenon::nn::linear<different_characters>,        "dropped">,
    tenon::output<"logits">, tenon::output<"states.h_n">, tenon::output<"states.c_n">>;
// clang-format on

}  // namespace browser
