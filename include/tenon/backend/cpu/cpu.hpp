// The CPU backend: kernels on xsimd vectors, for float and double. Dropout is the reference's.
#pragma once

#include "tenon/backend/cpu/axis.hpp"
#include "tenon/backend/cpu/cross_entropy.hpp"
#include "tenon/backend/cpu/flush.hpp"
#include "tenon/backend/cpu/int8_product.hpp"
#include "tenon/backend/cpu/map.hpp"
#include "tenon/backend/cpu/pairs.hpp"
#include "tenon/backend/cpu/product.hpp"
#include "tenon/backend/cpu/product_pieces.hpp"
#include "tenon/backend/cpu/rows.hpp"
#include "tenon/backend/cpu/stage.hpp"
#include "tenon/backend/cpu/tag.hpp"
#include "tenon/backend/cpu/window_product.hpp"
#include "tenon/backend/cpu/windows.hpp"
#include "tenon/backend/reference/reference.hpp"

namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET {

// A product with rows of a table may be computed for the whole table and then looked up.
constexpr bool multiplies_tables(cpu) { return true; }

// A map, and a product with a transposed matrix, may add to the values already in its destination.
constexpr bool accumulates_in_maps(cpu) { return true; }
constexpr bool accumulates_in_products(cpu) { return true; }

// Several threads share large products, with the functions of product_pieces.hpp, and maps: where one thread takes a millisecond, or where
// the second cache of one core does not hold the weights.
constexpr sharing_limits limits_of_sharing(cpu) {
  return {.multiply_adds = 1 << 25,
          .weights = 1 << 19,
          .numbers = 1 << 21,
          .multiply_adds_at_once = 1 << 18,
          .numbers_at_once = 1 << 14};
}

// A gather's backward pass may read the adjoint of its rows in the caller's memory.
constexpr bool reads_callers_adjoints(cpu) { return true; }

}  // namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET
