// What a backend is given to run: patterns, places, and the body of a fused elementwise kernel with its
// evaluation.
#pragma once

#include "tenon/equation/program.hpp"
#include "tenon/equation/scalar.hpp"

#include <bit>
#include <cstdint>
#include <utility>

namespace tenon {

enum class pattern : unsigned char {
  map,
  contract,
  contract_transposed,
  gradient_outer,
  gradient_sum,
  time_sum
};
enum class space : unsigned char { none, input, output, parameter, buffer };

// Columns [column, column + size) of rows that are `stride` wide.
struct place {
  space in = space::none;
  int index = 0;
  int column = 0;
  int stride = 0;
};

struct map_load {
  place from{};
  bool broadcast = false;  // one value per row
  bool timeless = false;   // the same row at every time step
  short sum = -1;          // in a stage: not loaded, but its sum of this number
  short packed = -1;  // in a stage: the packed vector of this number, or the one that the sum begins with
};
struct map_store {
  place to{};
  short local = 0;
  op reduction = op::copy;  // copy: element by element; row_sum or row_max: one value per row
  bool adds = false;        // to what stands there, element by element
  bool over_steps = false;  // one row holds the sum of all time steps; it has begun

  constexpr bool accumulates() const { return adds || over_steps; }
};

// A fused elementwise kernel: for every row, for every feature, evaluate `code`; its `input` instructions
// read the loads.
struct map_body {
  list<instruction, max_instructions> code{};
  list<map_load, 32> loads{};
  list<map_store, 32> stores{};
  int width = 0;
};

// A stage is a map together with products that it alone reads. A backend that computes both a vector of units
// at a time keeps the sums in registers. Parameters that are added to a sum are packed, added up, and begin it.
struct stage_product {
  int kernel = -1;          // the contraction, in its schedule
  int depth = 0;            // features that are summed over
  list<int, 16> columns{};  // where columns of the product begin,
  list<int, 16> sums{};     // and the sums that they are part of
};
struct packed_vector {
  int symbol = 0;
  int number = 0;  // vectors of one number are added up
};
struct stage_body {
  map_body body{};
  list<stage_product, 16> products{};
  list<packed_vector, 32> vectors{};
  int sums = 0, packed = 0;  // how many
  bool one_row = false;      // it never runs on more
  int others = 0;            // weights of the other products of its phase: read before it runs again
};

// How large a stage a backend takes; nothing: none.
struct stage_limits {
  int sums = 0;          // of one unit
  int weights = 0;       // of one unit: all that its sums multiply with
  bool one_row = false;  // there is no more than one row
  int loop_weights = 0;  // of a time loop that keeps the products of its inputs

  constexpr bool operator==(const stage_limits&) const = default;
};

namespace detail {

// An instruction as a template argument. It does not name the kernel that it is part of, so that kernels share its code.
struct evaluation {
  op code;
  short a, b, c;         // of an input: a is the number of its load
  std::uint64_t number;  // the bits of a constant
};
constexpr evaluation evaluation_of(const instruction& i) {
  return {i.code, i.code == op::input ? static_cast<short>(i.first) : i.a, i.b, i.c,
          std::bit_cast<std::uint64_t>(i.number)};
}

TENON_NO_EXEC_CHECK
template <evaluation I, template <op> class Function, class T>
TENON_HOST_DEVICE TENON_ALWAYS_INLINE inline T evaluate_one(const T* loaded, const T* local) {
  if constexpr (I.code == op::input) return loaded[I.a];
  else if constexpr (I.code == op::constant) return T(std::bit_cast<double>(I.number));
  else if constexpr (I.b < 0) return Function<I.code>::value(local[I.a]);
  else if constexpr (I.c < 0) return Function<I.code>::value(local[I.a], local[I.b]);
  else return Function<I.code>::value(local[I.a], local[I.b], local[I.c]);
}

}  // namespace detail

// Fills local[0 .. Kernel::body.code.size) from what was loaded. T is a number, a SIMD batch or a CUDA
// thread's register, Function<op>::value what computes.
TENON_NO_EXEC_CHECK
template <class Kernel, template <op> class Function = primitive, class T>
TENON_HOST_DEVICE TENON_ALWAYS_INLINE inline void evaluate(const T* loaded, T* local) {
  [&]<int... K>(std::integer_sequence<int, K...>) TENON_ALWAYS_INLINE {
    ((local[K] = detail::evaluate_one<detail::evaluation_of(Kernel::body.code[K]), Function>(loaded, local)),
     ...);
  }
  (std::make_integer_sequence<int, Kernel::body.code.size>{});
}
// The same for Count elements, instruction after instruction: none waits for what another computes.
template <class Kernel, template <op> class Function = primitive, class T, int Count, int Loads, int Locals>
TENON_ALWAYS_INLINE inline void evaluate_together(const T (&loaded)[Count][Loads],
                                                  T (&local)[Count][Locals]) {
  [&]<int... N>(std::integer_sequence<int, N...>) TENON_ALWAYS_INLINE {
    ((local[N % Count][N / Count] =
          detail::evaluate_one<detail::evaluation_of(Kernel::body.code[N / Count]), Function>(
              loaded[N % Count], local[N % Count])),
     ...);
  }
  (std::make_integer_sequence<int, Count * Kernel::body.code.size>{});
}

}  // namespace tenon
