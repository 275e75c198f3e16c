// All of Tenon except the bridges, which are included by name: tensor/xtensor.hpp (needs xtensor), hana.hpp (needs
// Boost.Hana) and backend/thrust (needs Thrust).
#pragma once

// These come first because compilers print each file on the include path to an error: to where errors are reported,
// to the deleted methods that say what to call instead, and to the namesakes that g++ lists of an unknown name, relu.
// clang-format off
#include "tenon/diagnostics/diagnose.hpp"
#include "tenon/diagnostics/wrong_method.hpp"

#include "tenon/program/opcode.hpp"
#include "tenon/equation/arithmetic.hpp"
#include "tenon/equation/language.hpp"
#include "tenon/graph/initializer.hpp"
#include "tenon/graph/graph.hpp"
#include "tenon/tensor/view.hpp"
#include "tenon/engine/session/session_base.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/train/optimizers/optimizer.hpp"
// clang-format on

#include "tenon/data/contiguous.hpp"
#include "tenon/data/data_set.hpp"
#include "tenon/data/lines.hpp"
#include "tenon/data/predict.hpp"
#include "tenon/data/table.hpp"
#include "tenon/data/table_column.hpp"
#include "tenon/data/vocabulary.hpp"
#include "tenon/declare.hpp"
#include "tenon/decode/decode.hpp"
#include "tenon/engine/session/summary.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/parameters/initialize.hpp"
#include "tenon/parameters/limit_classes.hpp"
#include "tenon/parameters/renormalize.hpp"
#include "tenon/parameters/without_files.hpp"
#include "tenon/train/checkpoints/without_checkpoints.hpp"
#include "tenon/train/gradient_check.hpp"
#include "tenon/train/loop/early_stopping.hpp"
#include "tenon/train/loop/fit.hpp"
#include "tenon/train/metrics/metrics.hpp"
#include "tenon/train/metrics/metrics_of_losses.hpp"
#include "tenon/train/metrics/metrics_of_numbers.hpp"
#include "tenon/train/schedules/plateau.hpp"
#include "tenon/train/schedules/schedule.hpp"
#include "tenon/train/trainer/shards.hpp"
#include "tenon/version.hpp"
