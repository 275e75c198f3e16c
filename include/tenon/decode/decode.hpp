// All that writes sequences: what a decoder reads while it learns, a choice from scores, text, beam search, what is written for each row of a data set, and how likely a given output is.
#pragma once

#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/decode/beam_search.hpp"
#include "tenon/decode/choose.hpp"
#include "tenon/decode/forced_decoding.hpp"
#include "tenon/decode/generate.hpp"
#include "tenon/decode/predict.hpp"
#include "tenon/decode/shifted_right.hpp"
