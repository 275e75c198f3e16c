// What the program translate_bahdanau compiles side by side: the training, the stream and its search, for the generated sentences and for Multi30k.
#pragma once

#include "bahdanau.hpp"
#include "translator.hpp"

namespace translation {

using bahdanau_of_grammar = translator<bahdanau<small>>;
using bahdanau_of_multi30k = translator<bahdanau<multi30k>>;
using adadelta_of_grammar = translator<bahdanau_with_adadelta<small>>;
using adadelta_of_multi30k = translator<bahdanau_with_adadelta<multi30k>>;

}  // namespace translation

TENON_DECLARE_TRAINING(translation::bahdanau_of_grammar::teacher, translation::encoded_sentences);
TENON_DECLARE_SESSION(translation::bahdanau_of_grammar::stream);
TENON_DECLARE_DECODER(beam_search, translation::bahdanau_of_grammar::stream, "word", "logits", "weights");
TENON_DECLARE_TRAINING(translation::bahdanau_of_multi30k::teacher, translation::encoded_sentences);
TENON_DECLARE_TRAINING(translation::adadelta_of_grammar::teacher, translation::encoded_sentences);
TENON_DECLARE_TRAINING(translation::adadelta_of_multi30k::teacher, translation::encoded_sentences);
TENON_DECLARE_SESSION(translation::bahdanau_of_multi30k::stream);
TENON_DECLARE_DECODER(beam_search, translation::bahdanau_of_multi30k::stream, "word", "logits", "weights");
