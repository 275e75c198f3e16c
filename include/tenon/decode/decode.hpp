// All headers for writing sequences: the inputs of a decoder in training, a choice from scores, text, beam search, the
// output for each row of a data set, and the likelihood of a given output.
#pragma once

#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/decode/beam_search.hpp"
#include "tenon/decode/choose.hpp"
#include "tenon/decode/forced_decoding.hpp"
#include "tenon/decode/generate.hpp"
#include "tenon/decode/predict.hpp"
#include "tenon/decode/shifted_right.hpp"
