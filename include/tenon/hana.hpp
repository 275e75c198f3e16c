// Rows, inputs and outputs as structs of the program, which Boost.Hana describes: BOOST_HANA_DEFINE_STRUCT, or
// BOOST_HANA_ADAPT_STRUCT(flower, measured, species); and the parameters as a Hana map.
#pragma once

// First, because compilers print each file on the include path to the one where errors appear.
#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/data/struct_outputs.hpp"
#include "tenon/data/struct_rows.hpp"
#include "tenon/parameters/named.hpp"
