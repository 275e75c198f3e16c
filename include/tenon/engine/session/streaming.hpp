// streaming<G>: runs a graph one step at a time and carries the states.
#pragma once

#include "tenon/backend/cpu/instruction_set.hpp"
#include "tenon/engine/session/session_base.hpp"

#include <cstring>

namespace tenon::inline TENON_INSTRUCTION_SET {

// One step at a time, states carried: for graphs whose recurrent layers run forward only.
//   streaming<model> live;  live.reset();  live.step(theta, frame) -> the first output of this step, [rows,
// D]
template <class G, class... Options>
class streaming : public engine::session<engine::plan_of<G, void, engine::purpose::streaming, Options...>> {
  static_assert(tenon::detail::say<tenon::detail::error_in<detail::problem_of<G, void>>>());
  static_assert(
      tenon::detail::say<
          tenon::detail::error_in<engine::unfit_option<G, void, engine::purpose::streaming, Options...>>>());
  using plan = engine::plan_of<G, void, engine::purpose::streaming, Options...>;
  using base = engine::session<plan>;
  using T = typename base::T;

  using whole_run = engine::verb_of_another<streaming, "streaming takes one step at a time: it has no run",
                                            "write step(theta, a value for each input)">;
  struct whole_sequence_needed {
    static constexpr ir::problem wrong = [] {
      for (int o = 0; o < base::net.operations.size; ++o) {
        const ir::operation& op = base::net.operations[o];
        if (!plan::active.alive[o]) continue;
        if (op.reversed)
          return ir::problem{.rule = "streaming runs step by step, and a reverse direction starts at the end",
                             .where = op.path,
                             .fix = "run the layer forward only, or use inference"};
        for (int e : op.in)
          if (e >= 0 && base::net.edges[e].is_grid())
            return ir::problem{.rule = "streaming runs step by step, and a grid has no steps",
                               .where = op.path,
                               .source = base::net.edges[e].path,
                               .fix = "use inference"};
        if (ir::kind_of(op.what).reads_neighbours)
          return ir::problem{.rule = "streaming runs step by step, and a window reads several",
                             .where = op.path,
                             .fix = "use inference"};
        if (op.program < 0) continue;
        const ir::program& p = base::net.programs[op.program];
        const auto refused = [&](ir::sentence what, ir::dimension along = ir::dimension::time) {
          const int axis = along == ir::dimension::inner ? op.inner : plan::axis(o);
          return ir::problem{.rule = ir::sentence("streaming runs step by step, and a ")
                                         .append(what.view())
                                         .append(" over the axis '")
                                         .append(base::net.axes[axis].name.view())
                                         .append("' reads all steps"),
                             .where = op.path,
                             .fix = "use inference"};
        };
        for (const ir::instruction& i : p.code)
          if (ir::is_over_axis(i.code)) return refused(ir::spelling(i.code), ir::axis_of(i));
        for (const ir::own_number& own : p.own)
          if (own.what != ir::own_input::count && own.share == 0) return refused("position");
      }
      return ir::problem{};
    }();
  };
  static_assert(tenon::detail::say<tenon::detail::error_in<whole_sequence_needed>>());

 public:
  // The beginning of a sequence: the next step starts on the initial states that it is given, or on zeros.
  void reset() { this->context_.starts = true; }

  // Feeds one step of every input, in the order of the graph: tokens [rows], numbers [rows, D] or flat;
  // returns the first output [rows, D]. Inputs that are initial states are read at the first step of a
  // sequence alone.
  template <class... Given>
  view<const T> step(const parameters<G, T>& theta, const Given&... given) {
    if constexpr (!fits<G>) {
      return {};
    } else if constexpr (engine::unfit_values<plan, true, Given...>::wrong) {
      tenon::detail::say<tenon::detail::error_in<engine::unfit_values<plan, true, Given...>>>();
      return {};
    } else {
      if (!goes_on(theta, std::make_integer_sequence<int, sizeof...(Given)>{}, given...))
        give_all(theta, given...);
      base::run().forward();
      this->context_.starts = false;
      this->context_.is_odd = !this->context_.is_odd;
      constexpr int e = base::net.outputs[0];
      const auto y = base::run().value(e);
      return view<const T>(y.data, {this->rows(), base::net.edges[e].size}, {y.row, 1});
    }
  }
  template <engine::OtherThan<parameters<G, T>> Theta, class... Given>
  view<const T> step(const Theta&, const Given&...) {
    tenon::detail::say<tenon::detail::error_in<engine::wrong_parameters<G, T, Theta>>>();
    return {};
  }
  view<const T> step() {
    tenon::detail::say<tenon::detail::error_in<engine::nothing_given<plan>>>();
    return {};
  }
  template <class... Given>
  void run(const Given&...) {
    tenon::detail::say<tenon::detail::error_in<whole_run>>();
  }
  template <class... Given>
  view<const T> operator()(const Given&...) {
    tenon::detail::say<tenon::detail::error_in<whole_run>>();
    return {};
  }

 private:
  // A tensor expression [rows, ...] as a sequence of one step, [rows, 1, ...].
  template <TensorExpression X>
  struct one_step {
    const X& x;
    std::size_t dimension() const { return x.dimension() + 1; }
    std::array<std::size_t, 3> shape() const {
      return {static_cast<std::size_t>(x.shape()[0]), 1,
              x.dimension() > 1 ? static_cast<std::size_t>(x.shape()[1]) : 0};
    }
    auto operator()(auto row, auto, auto... feature) const { return x(row, feature...); }
  };
  // Each input is checked and stored, weights are packed where they have changed.
  template <class... Given>
  [[gnu::noinline]] void give_all(const parameters<G, T>& theta, const Given&... given) {
    [&]<int... I>(std::integer_sequence<int, I...>) { (give_step<base::net.inputs[I]>(given), ...); }
    (std::make_integer_sequence<int, base::net.inputs.size>{});
    this->prepare(theta);
  }
  // Where every input is rows of numbers, as many as in the last step, on the same weights, the numbers are
  // all that is new.
  template <int E, class X>
  static constexpr bool is_plain =
      engine::Row<X> && !base::net.edges[E].is_token() && base::net.edges[E].slabs == 1;
  template <int... I, class... Given>
  bool goes_on(const parameters<G, T>& theta, std::integer_sequence<int, I...>, const Given&... given) {
    if constexpr ((is_plain<base::net.inputs[I], Given> && ...)) {
      const int rows = this->rows();
      const auto numbers = [&](int e) { return static_cast<std::size_t>(rows * base::net.edges[e].size); };
      const bool is_prepared = !this->context_.starts && this->packed_revision_ == theta.revision() &&
                               this->context_.parameters == theta.data();
      const bool same = is_prepared && ((std::size(given) == numbers(base::net.inputs[I])) && ...);
      if (same) (copy_rows<base::net.inputs[I]>(std::data(given)), ...);
      return same;
    } else {
      return false;
    }
  }
  template <int E, class Number>
  void copy_rows(const Number* from) {
    constexpr int D = base::net.edges[E].size;
    T* to = this->numbers_[E];
    for (int r = 0; r < base::B; ++r, from += D, to += D) {  // the first row is there always
      if (r > 0 && r >= this->rows()) return void(std::fill_n(to, (base::B - r) * D, T(0)));
      if constexpr (!std::same_as<Number, T>)
        std::transform(from, from + D, to, [](Number x) { return static_cast<T>(x); });
      else if (from != to) std::memcpy(to, from, D * sizeof(T));  // an output may be this input
    }
  }
  // A row without its time axis is a sequence of one step.
  template <int E, class X>
  void give_step(const X& x) {
    constexpr ir::edge e = base::net.edges[E];
    if constexpr (e.axis < 0) {
      this->template give<E>(x);
    } else if constexpr (TensorExpression<X>) {
      constexpr std::size_t rank = e.is_token() ? 1 : 2;
      if (x.dimension() != rank)
        throw input_error("input '" + std::string(e.path.view()) + "': expected rank " +
                          std::to_string(rank) + " for one step, got rank " + std::to_string(x.dimension()));
      this->template give<E>(one_step<X>{x});
    } else if constexpr (e.is_token()) {
      using element = std::remove_pointer_t<decltype(std::data(x))>;
      const auto count = static_cast<std::ptrdiff_t>(std::size(x));
      this->template give<E>(view<element>(std::data(x), {count, 1}, {1, 1}));
    } else {
      this->feed_.template set_step<E>(std::data(x), std::size(x), base::run().value(E).data);
    }
  }
};

}  // namespace tenon::inline TENON_INSTRUCTION_SET
