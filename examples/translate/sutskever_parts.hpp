// What the program translate_sutskever compiles side by side: the training, the stream and its search, for the generated sentences and for Multi30k.
#pragma once

#include "sutskever.hpp"
#include "translator.hpp"

namespace translation {

using sutskever_of_grammar = translator<sutskever<small>>;
using sutskever_of_multi30k = translator<sutskever<multi30k>>;
using sgd_of_grammar = translator<sutskever_with_sgd<small>>;
using sgd_of_multi30k = translator<sutskever_with_sgd<multi30k>>;

}  // namespace translation

TENON_DECLARE_TRAINING(translation::sutskever_of_grammar::teacher, translation::encoded_sentences);
TENON_DECLARE_SESSION(translation::sutskever_of_grammar::stream);
TENON_DECLARE_DECODER(beam_search, translation::sutskever_of_grammar::stream, "word");
TENON_DECLARE_TRAINING(translation::sutskever_of_multi30k::teacher, translation::encoded_sentences);
TENON_DECLARE_TRAINING(translation::sgd_of_grammar::teacher, translation::encoded_sentences);
TENON_DECLARE_TRAINING(translation::sgd_of_multi30k::teacher, translation::encoded_sentences);
TENON_DECLARE_SESSION(translation::sutskever_of_multi30k::stream);
TENON_DECLARE_DECODER(beam_search, translation::sutskever_of_multi30k::stream, "word");
