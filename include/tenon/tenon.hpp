// All of Tenon but the bridges: tensor/xtensor.hpp (needs xtensor) and backend/thrust (needs Thrust) are
// included by name.
#pragma once

// First, as compilers print each file on the way to the one where errors are said, and to what a call might have meant.
// clang-format off
#include "tenon/diagnostics/diagnose.hpp"
#include "tenon/diagnostics/wrong_method.hpp"

#include "tenon/equation/arithmetic.hpp"
#include "tenon/graph/graph.hpp"
#include "tenon/tensor/view.hpp"
#include "tenon/engine/session/session_base.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/train/optimizer.hpp"
// clang-format on

#include "tenon/data/contiguous.hpp"
#include "tenon/data/data_set.hpp"
#include "tenon/data/lines.hpp"
#include "tenon/data/predict.hpp"
#include "tenon/data/table.hpp"
#include "tenon/data/table_column.hpp"
#include "tenon/data/vocabulary.hpp"
#include "tenon/decode/decode.hpp"
#include "tenon/engine/session/summary.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/parameters/initialize.hpp"
#include "tenon/parameters/renormalize.hpp"
#include "tenon/parameters/without_files.hpp"
#include "tenon/train/early_stopping.hpp"
#include "tenon/train/fit.hpp"
#include "tenon/train/gradient_check.hpp"
#include "tenon/train/metrics.hpp"
#include "tenon/train/metrics_of_losses.hpp"
#include "tenon/train/metrics_of_numbers.hpp"
#include "tenon/train/plateau.hpp"
#include "tenon/train/schedule.hpp"
#include "tenon/train/shards.hpp"
#include "tenon/version.hpp"
