// known_equations: what a graph that is laid out has traced, so that equations of one type over sources alike are traced once.
#pragma once

#include "tenon/equation/trace.hpp"
#include "tenon/graph/network.hpp"

namespace tenon::ir {

// An equation as it is applied: its program, and what its results vary along.
struct applied_equation {
  int program = -1;
  bool has_turn = false;
  list<domain, max_program_inputs> varies{};
  list<label, max_sources> names{};  // of the results behind the first
};
constexpr problem mistake_in_results(const applied_equation& made) {
  for (int n = 0; n < made.names.size; ++n)
    if (made.names.find(made.names[n]) < n)
      return {
          .rule =
              sentence("two results of the equation are named '").append(made.names[n].view()).append("'"),
          .fix = "give each a name of its own"};
  return {};
}

// A compiler to which addresses do not tell types knows none. What there is no room for is traced again.
class known_equations {
 public:
  // The program of a layer, which the address of one of its constants tells from others, for so many features; -1: none yet.
  constexpr int find(const void* layer, int features) const {
    if constexpr (addresses_tell_types)
      for (const layer_program& known : layers_)
        if (known.layer == layer && known.features == features) return known.program;
    return -1;
  }
  constexpr void keep(const void* layer, int features, int of) {
    if (layers_.size < layers_.capacity) layers_.add({layer, features, of});
  }

  // An equation that the address of a constant of its type tells from others, traced with or without axes. Null: none yet.
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

}  // namespace tenon::ir
