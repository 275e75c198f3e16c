// whole_sequence_needed: finds operations that a stream cannot run because a step would depend on later steps.
#pragma once

#include "tenon/diagnostics/problem.hpp"
#include "tenon/engine/plan/plan.hpp"

namespace tenon::inline v0_1::engine {

namespace detail {

template <class Plan>
struct dependence_on_later_steps {
  static constexpr const auto& net = Plan::net;

  static constexpr problem find() {
    for (int o = 0; o < net.operations.size; ++o) {
      if (!Plan::active.alive[o] || !Plan::is_stepped(o) || Plan::runs_once(o)) continue;
      if (const problem p = of_operation(o)) return p;
    }
    return {};
  }

 private:
  static constexpr problem of_operation(int o) {
    const operation& op = net.operations[o];
    if (op.reversed)
      return {.rule = "streaming runs step by step, and a reverse direction starts at the end",
              .where = op.path,
              .fix = "run the layer forward only, or use inference"};
    for (int e : op.in)
      if (e >= 0 && net.edges[e].is_grid() && Plan::is_stepped_edge(e))
        return {.rule = "streaming runs step by step, and a grid has no steps",
                .where = op.path,
                .source = net.edges[e].path,
                .fix = "use inference"};
    if (traits_of(op.kind).reads_neighbours) {
      const windows_along& w = op.over.horizontal;
      if (w.is_one_each() && w.behind == 0) return {};
      return {.rule = w.is_one_each() ? "streaming runs step by step, and a window reaches to later steps"
                                      : "streaming runs step by step, and there is no window for each step",
              .where = op.path,
              .fix = "write is_causal and no stride, or use inference"};
    }
    return op.program < 0 ? problem{} : of_equation(o, net.programs[op.program]);
  }
  static constexpr problem of_equation(int o, const program_view& p) {
    const operation& op = net.operations[o];
    const bool sees_history = Plan::sees_history(o) && Plan::kept_steps(o) > 0;
    if (sees_history)
      if (const int k = reads_later(p); k >= 0) {
        const instruction& i = p.code[k];
        const bool is_of_axis = is_over_axis(i.code);
        problem wrong = refused(o, is_of_axis ? spelling(i.code) : "result", dimension::inner);
        wrong.fix = "hide later steps (is_causal), or use inference";
        return wrong;
      }
    const auto is_refused = [&](dimension along) {
      if (along == dimension::inner) return Plan::is_stepped_axis(op.inner) && !sees_history;
      return Plan::is_stepped_axis(Plan::axis(o));
    };
    for (const instruction& i : p.code)
      if (is_over_axis(i.code) && is_refused(axis_of(i)) && !looks_back(i))
        return refused(o, spelling(i.code), axis_of(i));
    for (const own_number& own : p.own) {
      const bool is_length = own.kind == own_input::length || own.kind == own_input::inner_length;
      const dimension along = own.kind == own_input::inner_length ? dimension::inner : dimension::time;
      if (is_length && is_refused(along)) return refused(o, "length", along);
    }
    return {};
  }
  static constexpr problem refused(int o, characters what, dimension along) {
    const int axis = along == dimension::inner ? net.operations[o].inner : Plan::axis(o);
    return {.rule = sentence("streaming runs step by step, and a ")
                        .append(what)
                        .append(" over the axis '")
                        .append(net.axes[axis].name.view())
                        .append("' reads all steps"),
            .where = net.operations[o].path,
            .fix = "use inference"};
  }
};

}  // namespace detail

template <class Plan>
struct whole_sequence_needed {
  static constexpr problem wrong = detail::dependence_on_later_steps<Plan>::find();
};

}  // namespace tenon::inline v0_1::engine
