// kernel_body: the kinds of kernel that a backend runs, the places they read and write, and the bodies of the fused ones.
#pragma once

#include "tenon/program/program.hpp"

namespace tenon::inline v0_1::ir {

enum class kernel_kind : unsigned char {
  map,
  matmul,
  matmul_transposed,
  gradient_outer,
  gradient_sum,
  axis_sum,
  accumulate,  // a sum over the steps of a loop: each adds its rows
  over_axis,   // all other operations along an axis: the instruction says which
  weighted_sum,
  pair_dots,
  pair_sums,
  pair_sums_over_time,
  to_lanes,
  as_features,  // the steps of an axis side by side, and back: copies of rows
  from_features,
  keep,  // the row of this step after those of earlier ones, and the row of an earlier step
  earlier
};
enum class space : unsigned char { none, input, output, parameter, buffer };

// Columns [column, column + size) of rows that are `stride` wide, and the axes along which there are rows.
struct place {
  space in = space::none;
  int index = 0;
  int column = 0;
  int stride = 0;
  domain rows = domain::free;
};

struct map_load {
  place from{};
  bool broadcast = false;  // one value per row
  bool invariant = false;  // the same row at every step
  short sum = -1;          // in a stage: not loaded; it is the stage's sum of this number
  short packed = -1;  // in a stage: the packed vector of this number, or the one that the sum begins with
};
struct map_store {
  place to{};
  short local = 0;
  opcode reduction = opcode::copy;  // copy: element by element; row_sum or row_max: one value per row
  bool adds = false;                // adds to the stored values, element by element
  bool over_steps = false;          // one row holds the sum of all steps; it has begun

  constexpr bool accumulates() const { return adds || over_steps; }
};

// A fused elementwise kernel: for every row, for every feature, evaluate `code`; its `input` instructions
// read the loads.
template <class Lists>
struct basic_map {
  typename Lists::template list<instruction, max_instructions> code{};
  typename Lists::template list<map_load, 128> loads{};
  typename Lists::template list<map_store, 128> stores{};
  int width = 0;

  constexpr int longest() const { return longest_of({code.size, loads.size, stores.size}); }
  template <class Other>
  constexpr operator basic_map<Other>() const {
    return {code, loads, stores, width};
  }
};
using map_body = basic_map<growing>;
using map_view = basic_map<viewed>;

// The most sums of a unit in a stage, and the most vectors of parameters that they begin with or that the map adds.
inline constexpr int max_stage_sums = 16, max_stage_vectors = 64;

// A stage is a map fused with products that only it reads. A backend that computes both, a vector of units
// at a time, keeps the sums in registers. Parameters that are added to a sum are packed, added up, and begin the sum.
struct stage_product {
  int kernel = -1;                      // the contraction, in its schedule
  int depth = 0;                        // features that are summed over
  list<int, max_stage_sums> columns{};  // where columns of the product begin,
  list<int, max_stage_sums> sums{};     // and the sums that they are part of
};
struct packed_vector {
  int symbol = 0;
  int number = 0;  // vectors of one number are added up
};
template <class Lists>
struct basic_stage {
  basic_map<Lists> body{};
  typename Lists::template list<stage_product, max_stage_sums> products{};
  typename Lists::template list<packed_vector, max_stage_vectors> vectors{};
  int sums = 0, packed = 0;  // how many
  bool one_row = false;      // it never runs on more than one row
  int others = 0;            // weights of the other products of its phase, read before it runs again

  constexpr int longest() const { return longest_of({body.longest(), products.size, vectors.size}); }
  template <class Other>
  constexpr operator basic_stage<Other>() const {
    return {body, products, vectors, sums, packed, one_row, others};
  }
};
using stage_body = basic_stage<growing>;
using stage_view = basic_stage<viewed>;

// What is so large that several threads do it faster together, which costs them about a microsecond at each kernel, and a program the code for
// it. Of an operation over all steps: multiply-adds of a product, its weights, and the numbers that maps compute; then of one call of a
// kernel. 0: nothing is.
struct sharing_limits {
  long multiply_adds = 0, weights = 0, numbers = 0, multiply_adds_at_once = 0, numbers_at_once = 0;

  constexpr bool exist() const { return multiply_adds > 0; }
};

// The largest stage that a backend can run; all zero: it runs none.
struct stage_limits {
  int sums = 0;          // of one unit
  int weights = 0;       // of one unit: all weights of its sums
  bool one_row = false;  // there is no more than one row
  int loop_weights = 0;  // of a time loop that keeps the products of its inputs

  constexpr bool operator==(const stage_limits&) const = default;
};

// A time loop that is one stage, whose products read nothing but states. The states of a row are side by side.
template <class Lists>
struct basic_loop {
  basic_stage<Lists> stage{};
  typename Lists::template list<int, max_sources> states{};  // features of each
  // The column of the states at which each product, load and store of the stage begins; -1: it belongs to no state.
  typename Lists::template list<int, max_stage_sums> products{};
  typename Lists::template list<int, max_program_inputs> loads{}, stores{};

  constexpr int row() const {  // numbers of all states of a row
    int sum = 0;
    for (int features : states) sum += features;
    return sum;
  }
  constexpr long weights_before(int product) const {
    long sum = 0;
    for (int p = 0; p < product; ++p)
      sum += long(stage.products[p].columns.size) * stage.body.width * stage.products[p].depth;
    return sum;
  }
  constexpr long weights() const { return weights_before(stage.products.size); }

  constexpr int longest() const {
    return longest_of({stage.longest(), states.size, products.size, loads.size, stores.size});
  }
  template <class Other>
  constexpr operator basic_loop<Other>() const {
    return {stage, states, products, loads, stores};
  }
};
using loop_body = basic_loop<growing>;
using loop_view = basic_loop<viewed>;

// The largest loop that a backend can run as one kernel, all steps together; all zero: it runs none.
struct loop_limits {
  long weights = 0;  // of its products, all in one block
  int states = 0;    // numbers of a row
  long numbers = 0;  // computed before it runs; if there are more, it runs as pieces of some steps each
  int columns = 0;   // of a loop of rows: numbers that are kept of a row from kernel to kernel
  // How many blocks may share the units of a loop, and how many weights each has room for; the fewest weights that they share.
  int blocks = 0;
  long weights_of_block = 0, least_shared = 0;

  constexpr bool operator==(const loop_limits&) const = default;

  template <class Lists>
  constexpr bool fits_in_block(const basic_loop<Lists>& loop) const {
    return loop.weights() <= weights && loop.row() <= states;
  }
  // The units that a block has room for, a power of two; 0: for none.
  template <class Lists>
  constexpr int units_of_block(const basic_loop<Lists>& loop) const {
    const long most = weights_of_block * loop.stage.body.width / loop.weights();
    int units = most > 0 ? 1 : 0;
    while (0 < units && 2 * units <= most) units *= 2;
    return units;
  }
  template <class Lists>
  constexpr bool fits_in_blocks(const basic_loop<Lists>& loop) const {
    return blocks > 0 && loop.weights() >= least_shared &&
           long(units_of_block(loop)) * blocks >= loop.stage.body.width;
  }
};

}  // namespace tenon::inline v0_1::ir
