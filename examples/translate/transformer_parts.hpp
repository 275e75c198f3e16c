// What the program translate_transformer compiles side by side: the training, the stream and its search, for the generated sentences and for Multi30k.
#pragma once

#include "transformer.hpp"
#include "translator.hpp"

namespace translation {

using transformer_of_grammar = translator<transformer<small>>;
using transformer_of_multi30k = translator<transformer<multi30k>>;

}  // namespace translation

TENON_DECLARE_TRAINING(translation::transformer_of_grammar::teacher, translation::encoded_sentences);
TENON_DECLARE_SESSION(translation::transformer_of_grammar::stream);
TENON_DECLARE_DECODER(beam_search, translation::transformer_of_grammar::stream, "word");
TENON_DECLARE_TRAINING(translation::transformer_of_multi30k::teacher, translation::encoded_sentences);
TENON_DECLARE_SESSION(translation::transformer_of_multi30k::stream);
TENON_DECLARE_DECODER(beam_search, translation::transformer_of_multi30k::stream, "word");
