// schedule: a program cut into kernels, with a place for every value that needs memory.
#pragma once

#include "tenon/lowering/phases.hpp"
#include "tenon/program/kernel_body.hpp"

namespace tenon::inline v0_1::ir {

inline constexpr int max_kernels = 192, max_buffers = 192;  // of a schedule

struct kernel {
  kernel_kind kind{};
  phase when{};
  domain over = domain::rows;  // its rows: one for each sequence, or one at each step of an axis
  int width = 0;               // map: features per row
  int value = -1;              // the others: their instruction
  int slot = 0;                // order within the phase
  int stage = -1;              // matmul: the map that computes it in its stage
  bool of_table = false;       // a product of rows of a table, and its gradients
  int neighbours = 0;          // of the windows of a product that are read in place, and of its gradients

  // The axis whose steps it runs all at once.
  constexpr dimension runs_along() const {
    return has_axis(over, dimension::inner) ? dimension::inner : dimension::time;
  }
};

struct buffer {
  int width = 0;
  bool all_rows = false;  // a row for each time step; otherwise one step at a time
  bool inner = false;     // a row for each step of the inner axis
  bool once = false;      // written before all steps, and kept from step to step
  int kept_steps = 0;     // a row for each of this many steps, which are run one by one
};

// How a value is stored by the map that computes it.
enum class accumulation : unsigned char {
  none,       // it overwrites what is there
  add,        // it is added to what is there
  sum_steps,  // the values of all time steps are summed up from zero,
  add_steps,  // or from what is there
};

template <class Lists>
struct basic_schedule {
  // A list with an item for each instruction of the equations.
  template <class T>
  using of_each_value = typename Lists::template list<T, max_instructions>;

  basic_program<Lists> equations;
  of_each_value<domain> domains{};
  of_each_value<bool> inlined{};  // arithmetic of single numbers: repeated in every kernel that reads it
  typename Lists::template list<kernel, max_kernels> kernels;
  typename Lists::template list<buffer, max_buffers> buffers;
  of_each_value<place> places{};
  of_each_value<short> kernel_of{};
  of_each_value<accumulation> accumulates{};
  bool one_row = false,
       one_row_of_steps = false;  // stages run on no more than one row: in a loop, on all steps
  int lanes = 0;  // steps of one sequence that the loop runs at once; 0: one step of all sequences
  carried_pairs carried{};

  constexpr int longest() const { return longest_of({equations.longest(), kernels.size, buffers.size}); }
  template <class Other>
  constexpr operator basic_schedule<Other>() const {
    return {equations, domains,     inlined, kernels,          buffers, places,
            kernel_of, accumulates, one_row, one_row_of_steps, lanes,   carried};
  }
};
using schedule = basic_schedule<growing>;
using schedule_view = basic_schedule<viewed>;

constexpr int widest_map(const schedule_view& s) {
  int widest = 1;
  for (const kernel& k : s.kernels) widest = k.width > widest ? k.width : widest;
  return widest;
}

// Does anything after the loop read this input or output?
constexpr bool reads_after_loop(const schedule_view& s, space in, int index) {
  bool found = false;
  for (int k = 0; k < s.equations.code.size; ++k)
    if (s.kernel_of[k] >= 0 && s.kernels[s.kernel_of[k]].when == phase::after)
      for_operands(s.equations.code[k],
                   [&](int o) { found = found || (s.places[o].in == in && s.places[o].index == index); });
  return found;
}

// Does a kernel of the loop compute only what the next step needs?
constexpr bool only_serves_next_step(const schedule_view& s, int index) {
  const program_view& p = s.equations;
  bool needed[max_instructions]{};
  for (int o = 0; o < p.outputs.size; ++o) {
    bool continues = false;
    for (const carried_pair& c : s.carried) continues = continues || c.output == o;
    if (!continues) needed[p.outputs[o]] = true;
  }
  for (int e : p.effects) needed[e] = true;
  for (int k = p.code.size - 1; k >= 0; --k)
    if (needed[k]) for_operands(p.code[k], [&](int o) { needed[o] = true; });
  for (int k = 0; k < p.code.size; ++k)
    if (s.kernel_of[k] == index && needed[k]) return false;
  return s.kernels[index].when == phase::loop;
}

}  // namespace tenon::inline v0_1::ir
