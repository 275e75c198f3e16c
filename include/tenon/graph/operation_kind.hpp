// operation_kind: the kinds of operation in a network, and their properties. What a kind computes, forward and backward, is in
// its file in engine/run/operations/. All that other code needs to know about it is in this table; no other code
// depends on a kind's name.
#pragma once

namespace tenon::inline v0_1::ir {

enum class operation_kind : unsigned char {
  gather,   // in: tokens                       out: rows of the table
  apply,    // in: the program's inputs         out: its outputs
  scan,     // in: x, initial states (or -1)    out: y, final states
  dropout,  // in: x                            out: x with a share of zeros
  windows,  // in: x                            out: along an axis of windows, the places of each side by side
  cross_entropy,  // in: logits, targets              out: mean loss
  mean_loss,      // in: a number at each position, its count (or -1)    out: their mean
};

struct operation_traits {
  const char* name;
  // The kernels that a backend must have for it; an equation needs those of its instructions.
  const char *forward = nullptr, *backward = nullptr;
  bool is_equation = false;       // a program at every position
  bool is_loop = false;           // a program along time; its outputs after the first are the last states
  bool is_table = false;          // its parameter is a table, its first input says which rows
  bool passes_on = false;         // the output equals the input, except for some numbers
  bool reads_neighbours = false;  // one position sees others: a stream keeps those before it
  bool makes_gradient = false;    // it computes the gradient of its first input while it runs forward
  int targets = -1;               // the index of the input of its targets, which may be left out
  bool counts_positions = false;  // a mean over positions
};
inline constexpr operation_traits traits_of_operations[]{
    {.name = "gather", .forward = "gather", .backward = "scatter_add", .is_table = true},
    {.name = "apply", .is_equation = true},
    {.name = "scan", .is_loop = true},
    {.name = "dropout", .forward = "dropout", .backward = "dropout", .passes_on = true},
    {.name = "windows", .forward = "gather_windows", .backward = "sum_windows", .reads_neighbours = true},
    {.name = "cross_entropy",
     .forward = "cross_entropy",
     .backward = "cross_entropy",
     .makes_gradient = true,
     .targets = 1},
    {.name = "mean_loss",
     .forward = "sum_positions",
     .backward = "positions_gradient",
     .counts_positions = true},
};
constexpr const operation_traits& traits_of(operation_kind kind) {
  return traits_of_operations[static_cast<int>(kind)];
}

}  // namespace tenon::inline v0_1::ir
