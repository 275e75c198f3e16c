// known_equations: the equations traced so far during a layout, so that one type over equal sources is traced once.
#pragma once

#include "tenon/equation/trace.hpp"
#include "tenon/graph/network.hpp"

namespace tenon::inline v0_1::ir {

// A traced equation: its program, and what its results vary along.
struct applied_equation {
  int program = -1;
  bool has_turn = false;
  list<domain, max_program_inputs> varies{};
  list<label, max_sources> names{};  // of the results after the first
};
constexpr problem unfit_results(const applied_equation& made) {
  for (int n = 0; n < made.names.size; ++n)
    if (made.names.find(made.names[n]) < n)
      return {
          .rule =
              sentence("two results of the equation are named '").append(made.names[n].view()).append("'"),
          .fix = "give each a name of its own"};
  return {};
}

// Types are told apart by the address of a constant. With a compiler that cannot do this (addresses_tell_types), no
// equation is remembered. If the list is full, further equations are traced again.
class known_equations {
 public:
  // The program of a layer, identified by the address of one of its constants, for `features` features; -1: none yet.
  constexpr int find(const void* layer, int features) const {
    if constexpr (addresses_tell_types)
      for (const layer_program& known : layers_)
        if (known.layer == layer && known.features == features) return known.program;
    return -1;
  }
  constexpr void keep(const void* layer, int features, int of) {
    if (layers_.size < layers_.capacity) layers_.add({layer, features, of});
  }

  // An equation, identified by the address of a constant of its type, traced with or without axes. Null: none yet.
  constexpr const applied_equation* find(const void* equation, const sizes& features, const input_axes& along,
                                         bool has_axes) const {
    if constexpr (addresses_tell_types)
      for (const known_equation& known : equations_)
        if (known.equation == equation && known.features == features && known.has_axes == has_axes &&
            known.along == along)
          return &known.applied;
    return nullptr;
  }
  constexpr void keep(const void* equation, const sizes& features, const input_axes& along, bool has_axes,
                      const applied_equation& applied) {
    if (equations_.size < equations_.capacity) equations_.add({equation, features, along, has_axes, applied});
  }

 private:
  struct layer_program {
    const void* layer = nullptr;
    int features = 0, program = -1;
  };
  struct known_equation {
    const void* equation = nullptr;
    sizes features{};
    input_axes along{};
    bool has_axes = false;
    applied_equation applied{};
  };
  list<layer_program, 16> layers_;
  list<known_equation, 32> equations_;
};

}  // namespace tenon::inline v0_1::ir
