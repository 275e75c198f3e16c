// Training: update rules, trainers, `fit`, metrics, schedules, reports, checkpoints, gradient checks.
#pragma once

// First, because compilers print each file on the include path to the one where errors appear.
#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/train/checkpoints/checkpoint.hpp"
#include "tenon/train/gradient_check.hpp"
#include "tenon/train/loop/early_stopping.hpp"
#include "tenon/train/loop/fit.hpp"
#include "tenon/train/loop/rate_range.hpp"
#include "tenon/train/metrics/bleu.hpp"
#include "tenon/train/metrics/metrics.hpp"
#include "tenon/train/metrics/metrics_of_losses.hpp"
#include "tenon/train/metrics/metrics_of_numbers.hpp"
#include "tenon/train/metrics/span_f1.hpp"
#include "tenon/train/reports/tensorboard.hpp"
#include "tenon/train/schedules/plateau.hpp"
#include "tenon/train/schedules/schedule.hpp"
#include "tenon/train/trainer/shards.hpp"
