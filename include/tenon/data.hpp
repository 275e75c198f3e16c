// Data: tables, lines, vocabularies, data sets, standardised numbers, predictions and the tables that they are written to. Tables of
// numbers as arrays of xtensor are in tenon/data/number_table.hpp.
#pragma once

// First, because compilers print each file on the include path to the one where errors appear.
#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/data/alias_table.hpp"
#include "tenon/data/contiguous.hpp"
#include "tenon/data/data_set.hpp"
#include "tenon/data/each_epoch.hpp"
#include "tenon/data/lines.hpp"
#include "tenon/data/predict.hpp"
#include "tenon/data/standardizer.hpp"
#include "tenon/data/table.hpp"
#include "tenon/data/table_column.hpp"
#include "tenon/data/vocabulary.hpp"
#include "tenon/data/word_search.hpp"
#include "tenon/data/word_windows.hpp"
#include "tenon/data/write_table.hpp"
