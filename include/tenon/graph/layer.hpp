// What a node can contain, and how it is built: a layer (a struct with `build`) or an equation (a struct with `at`).
#pragma once

#include "tenon/graph/builder.hpp"
#include "tenon/meta/type_name.hpp"

#include <concepts>

namespace tenon::inline v0_1::ir {

// A layer is a description: `build` gets the input edges, adds the operations and returns the output edge.
template <class L>
concept Layer = requires(builder& b, const edges& in) {
  { L::build(b, in) } -> std::same_as<int>;
};

// Anything that a node can contain: a layer, or a bare equation with `at`.
template <class T>
concept Node = Layer<T> || Pointwise<T>;

namespace detail {
// The remedy for an equation that does not compile: where its letters are; `otherwise` if T is no equation's struct.
template <class T>
constexpr sentence mend(characters equation, characters otherwise) {
  if constexpr (!std::is_class_v<T> || Layer<T>) return sentence(otherwise);
  else if constexpr (!std::is_base_of_v<equations::symbols, T>)
    return sentence(equation).append("W, U, V and b are members of equations::symbols");
  else return sentence(equation).append("W, U, V and b are its letters, and a W of your own is ::W");
}

// The initialisers of an equation: `all` for every parameter that its `starts` does not name.
template <class T>
constexpr initializers initializers_of(initializer all) {
  if constexpr (requires { T::starts; }) return {all, T::starts, sizeof(T::starts) / sizeof(start_value)};
  else return all;
}
}  // namespace detail

// Builds T on the edges, or returns -1 when something is wrong.
template <class T>
constexpr int build(builder& b, const edges& in) {
  if (!b.ok()) return -1;
  if constexpr (Layer<T>) {
    return T::build(b, in);
  } else if constexpr (Cell<T>) {
    return b.fail({.rule = "a cell is used where a layer is needed",
                   .fix = "run it over time: recurrent<cell, hidden<32>>"});
  } else if constexpr (!Node<T>) {
    return b.fail(
        {.rule = sentence("'").append(type_name<T>().view()).append("' is neither a layer nor an equation"),
         .fix = detail::mend<T>("an equation has a static at(auto x) that compiles; ",
                                "an equation is a struct with a static at(auto x) that compiles")});
  } else if constexpr (!detail::RunsAtCompileTime<detail::calls_at<T>, at_arity<T>>) {
    return b.fail(detail::runs_later("the equation"));
  } else {
    if (!b.require_inputs(in, at_arity<T>, at_arity<T>, "the equation",
                          "list one source for each argument of at()"))
      return -1;
    sizes features;
    int widest = 1;
    for (int e : in) {
      if (!b.require_numbers(e, "the equation")) return -1;
      features.add(b[e].size);
      widest = b[e].size > widest ? b[e].size : widest;
    }
    double root = 1;  // Newton: 1 / sqrt(features) is the scale of a linear map
    for (int k = 0; k < 60; ++k) root = 0.5 * (root + widest / root);
    const input_axes axes = b.axes_of(in);
    return b.ok() ? b.apply(tracer_of<T>, features, axes, in, detail::layout_of<T>(),
                            detail::initializers_of<T>({initial::uniform, 1 / root}))
                  : -1;
  }
}

}  // namespace tenon::inline v0_1::ir

namespace tenon::inline v0_1::concepts {
using ir::Layer;
using ir::Node;
}  // namespace tenon::inline v0_1::concepts
