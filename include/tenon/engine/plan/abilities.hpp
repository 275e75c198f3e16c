// abilities: what a backend can do besides running kernels, as one constant of its tag. A tag declares it by functions, which are looked
// for here only; a function that is absent leaves the value below. The names, and what a plan does with them: docs/reference/backends.md.
#pragma once

#include "tenon/backend/operand.hpp"
#include "tenon/program/kernel_body.hpp"

namespace tenon::inline v0_1::engine {

struct abilities {
  bool multiplies_tables = false, accumulates_in_maps = false, accumulates_in_products = false,
       reads_callers_adjoints = false, takes_maps_of_rows = false;
  sharing_limits sharing{};    // which products and maps are cut into pieces, for several threads
  bool each_sequence = false;  // loops over many steps run one sequence after the other
  // Of several at once: sums of gradients over the same rows, states that pass on, blocks of zeros, vectors of a stage.
  bool gradient_sums = false, pass_rows = false, clear_blocks = false, pack_stage_vectors = false;
  int most_multiplied_neighbours = 0;  // of windows that are read in place
  long numbers_in_block = 0;           // that are processed at a time; 0: as many as fit into a core's cache
  // Null: no stages, no loops, no lanes. rows: of the batch; pairs: of a step, in all rows.
  stage_limits (*limits_of_stages)(int rows) = nullptr;
  stage_limits (*limits_of_stages_of_steps)(int rows,
                                            int steps) = nullptr;  // null: those of limits_of_stages
  loop_limits (*limits_of_loops)(int rows) = nullptr;
  int (*lanes_of_pairs)(long pairs, int steps) = nullptr;
};

namespace detail {
template <class B, class T>
constexpr abilities find_abilities() {
  abilities can;
  if constexpr (requires { multiplies_tables(B{}); }) can.multiplies_tables = multiplies_tables(B{});
  if constexpr (requires { accumulates_in_maps(B{}); }) can.accumulates_in_maps = accumulates_in_maps(B{});
  if constexpr (requires { accumulates_in_products(B{}); })
    can.accumulates_in_products = accumulates_in_products(B{});
  if constexpr (requires { reads_callers_adjoints(B{}); })
    can.reads_callers_adjoints = reads_callers_adjoints(B{});
  if constexpr (requires { limits_of_sharing(B{}); }) can.sharing = limits_of_sharing(B{});
  if constexpr (requires { takes_maps_of_rows(B{}); }) can.takes_maps_of_rows = takes_maps_of_rows(B{});
  if constexpr (requires(void (*run)(int, int, int)) { each_sequence(B{}, 1, nullptr, 1, nullptr, 1, run); })
    can.each_sequence = true;
  if constexpr (requires(const backend::column_sums<T>* sums) { gradient_sums(B{}, 1, 1, sums); })
    can.gradient_sums = true;
  if constexpr (requires(const backend::passed_rows<T>* rows) {
                  pass_rows(B{}, true, 0, 1, nullptr, 1, rows);
                })
    can.pass_rows = true;
  if constexpr (requires(const backend::block_of_numbers<T>* blocks) { clear_blocks(B{}, 1, blocks); })
    can.clear_blocks = true;
  if constexpr (requires(const backend::stage_vector<T>* vectors, T* packed) {
                  pack_stage_vectors<1>(B{}, 1, 1, vectors, packed);
                })
    can.pack_stage_vectors = true;
  if constexpr (requires { most_multiplied_neighbours(B{}); })
    can.most_multiplied_neighbours = most_multiplied_neighbours(B{});
  if constexpr (requires { numbers_in_block(B{}); }) can.numbers_in_block = numbers_in_block(B{});
  if constexpr (requires { limits_of_stages(B{}, 1); })
    can.limits_of_stages = [](int rows) { return limits_of_stages(B{}, rows); };
  if constexpr (requires { limits_of_stages_of_steps(B{}, 1, 1); })
    can.limits_of_stages_of_steps = [](int rows, int steps) {
      return limits_of_stages_of_steps(B{}, rows, steps);
    };
  if constexpr (requires { limits_of_loops(B{}, 1); })
    can.limits_of_loops = [](int rows) { return limits_of_loops(B{}, rows); };
  if constexpr (requires { lanes_of_pairs(B{}, 1L, 1L); })
    can.lanes_of_pairs = [](long pairs, int steps) {
      return static_cast<int>(lanes_of_pairs(B{}, pairs, steps));
    };
  return can;
}
}  // namespace detail

// T: the scalar of a session.
template <class Backend, class T = float>
inline constexpr abilities abilities_of = detail::find_abilities<Backend, T>();

}  // namespace tenon::inline v0_1::engine
