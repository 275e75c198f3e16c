// operation_signature: all that the code of an operation depends on, besides its program. Operations of all graphs with
// equal signatures and equal programs are one function, which gets the addresses of its memory when it runs.
#pragma once

#include "tenon/engine/plan/memory_plan.hpp"

namespace tenon::inline v0_1::engine {

struct operation_signature {
  operation_kind kind{};
  bool runs = false;            // its output is read; false for a gather whose table is multiplied
  bool differentiated = false;  // and it takes part in the backward pass
  bool training = false;
  bool streaming = false;       // some steps of its axis at a time
  bool walks = false;           // it runs along a time axis
  bool sees_inner = false;      // and each step sees an inner axis whole
  bool sees_history = false;    // streaming: the inner axis is the steps kept so far
  bool keeps_steps = false;     // streaming: it keeps steps for later ones
  unsigned made_sequences = 0;  // outputs that are sequences
  bool by_frequency = false;    // gather: see operation
  bool reads_windows = false;   // it reads the windows of its first input in place
  bool owns_gradient = false;   // cross_entropy: the gradient of the logits has memory of its own
  bool shared = false;          // cross_entropy: several threads may share it
  int batch = 1;
  int block = 1;                            // streaming: the most steps at a time
  int size = 0;                             // features of its first output
  int inputs = 0, features[max_sources]{};  // of each input; tokens: 0
  unsigned present = 0;                     // inputs that are given: bit i is input i
  unsigned sequences = 0;                   // inputs that are sequences
  unsigned inner_sequences = 0;             // those of them that have the inner axis
  unsigned tokens = 0;                      // inputs that are tokens
  unsigned requires_adjoint = 0;            // inputs to whose adjoints it contributes
  unsigned outputs_with_adjoint = 0;        // bit i is output i
  unsigned read_states = 0;                 // scan: final states that are read

  constexpr bool operator==(const operation_signature&) const = default;
  constexpr bool one_step() const { return streaming && block == 1; }
  // True for a single row of a stream.
  constexpr bool never_ends_early() const { return streaming && batch == 1; }
  constexpr bool has(unsigned set, int i) const { return ((set >> i) & 1u) != 0; }
  constexpr dimension axis_of(int input) const {
    return has(inner_sequences, input) ? dimension::inner : dimension::time;
  }
};

namespace detail {

template <class Plan>
constexpr operation_signature find_signature(int o) {
  const auto& net = Plan::net;
  const auto& active = Plan::active;
  const operation& op = net.operations[o];
  const bool is_table = Plan::tables[o] >= 0;
  operation_signature f{.kind = op.kind,
                        .runs = active.alive[o] && !Plan::is_table_alone(o),
                        .differentiated = active.differentiated[o] && !Plan::is_table_alone(o),
                        .training = Plan::training,
                        .streaming = Plan::is_stepped(o),
                        .walks = Plan::axis(o) >= 0,
                        .sees_inner = op.inner >= 0,
                        .sees_history = Plan::sees_history(o),
                        .keeps_steps = Plan::kept_steps(o) > 0 || Plan::kept_windows(o) > 0,
                        .by_frequency = op.by_frequency,
                        .reads_windows = multiplied_neighbours(op) > 0,
                        .owns_gradient = memory_of<Plan>.find(o, region_kind::loss_gradient) != nullptr,
                        .shared = op.program < 0 && Plan::lowerings[o].shared,
                        .batch = Plan::batch,
                        .block = Plan::is_stepped(o) ? Plan::block : 1,
                        .size = net.edges[op.out[0]].size,
                        .inputs = op.in.size};
  for (int i = 0; i < op.in.size; ++i) {
    const int e = op.in[i];
    if (e < 0) continue;
    const unsigned bit = 1u << i;
    f.features[i] = net.edges[e].size;
    f.present |= bit;
    if (net.edges[e].axis >= 0) f.sequences |= bit;
    if (net.edges[e].axis >= 0 && Plan::is_inner_input(o, i)) f.inner_sequences |= bit;
    if (net.edges[e].is_token()) f.tokens |= bit;
    if (!active.has_adjoint[net.owner(e)] || (i == 0 && is_table)) continue;
    f.requires_adjoint |= bit;
  }
  for (int i = 0; i < op.out.size; ++i) {
    if (net.edges[op.out[i]].axis >= 0) f.made_sequences |= 1u << i;
    if (active.has_adjoint[net.owner(op.out[i])]) f.outputs_with_adjoint |= 1u << i;
  }
  for (int s = 0; s < Plan::states(o); ++s)
    if (memory_of<Plan>.value[net.owner(op.out[1 + s])] >= 0) f.read_states |= 1u << s;
  return f;
}
// Inputs whose contributions are added to those of others after the operation has run.
template <class Plan>
constexpr unsigned find_added(int o, const operation_signature& signature) {
  unsigned added = 0;
  const operation& op = Plan::net.operations[o];
  for (int i = 0; i < op.in.size; ++i)
    if (signature.has(signature.requires_adjoint, i) && Plan::adds_contribution(o, i) &&
        !signature.has(memory_of<Plan>.operations[o].adds_in_place, i))
      added |= 1u << i;
  return added;
}

}  // namespace detail

// The signatures of all operations of a plan.
template <class Plan>
inline constexpr auto signatures_of = [] {
  list<operation_signature, Plan::net.operations.size> all;
  for (int o = 0; o < Plan::net.operations.size; ++o) all.add(detail::find_signature<Plan>(o));
  return all;
}();

}  // namespace tenon::inline v0_1::engine
