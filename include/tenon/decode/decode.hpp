// All that writes sequences: include it where a stream writes; tenon.hpp has choose.hpp alone.
#pragma once

#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/decode/beam_search.hpp"
#include "tenon/decode/choose.hpp"
#include "tenon/decode/forced_decoding.hpp"
#include "tenon/decode/generate.hpp"
