// carry<"states.h_n", "h0">, for contiguous.hpp: an output that becomes an input of the next
// window; zeros before the first.
#pragma once

#include "tenon/engine/session/by_name.hpp"

#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace tenon::inline v0_1 {

namespace detail {

// What is wrong with this output for this input, both of which exist: they are one state.
template <class Plan, ir::text Output, ir::text Input>
inline constexpr ir::problem unfit_carry = [] {
  using ir::sentence;
  constexpr int output = engine::output_edge<Plan>(Output);
  constexpr ir::edge from = Plan::net.edges[output], to = Plan::net.edges[engine::input_edge<Plan>(Input)];
  const sentence input = sentence("carry: input '").append(Input.view()).append("'");
  if (Plan::is_whole_edge(output))
    return ir::problem{.rule = sentence("carry: output '").append(Output.view()).append("' has steps"),
                       .fix = "carry a last state, which has none, as 'states.h_n'"};
  if (to.is_token() || to.axis >= 0)
    return ir::problem{.rule = sentence(input.view()).append(to.is_token() ? " takes tokens" : " has steps"),
                       .fix = "name the input of an initial state, input<\"h0\", features<64>>"};
  const bool is_of_size = to.size == from.size;
  if (is_of_size && to.layers == from.layers) return ir::problem{};
  return ir::problem{.rule = sentence(input.view()).append(" takes"),
                     .axis = is_of_size ? "layers" : "features",
                     .expected = is_of_size ? to.layers : to.size,
                     .got = is_of_size ? from.layers : from.size,
                     .fix = sentence("output '").append(Output.view()).append("' becomes this input")};
}();

}  // namespace detail

template <ir::text Output, ir::text Input>
struct carry {
  template <class Session>
  struct unfit {
    using plan = typename Session::plan;
    static constexpr ir::problem wrong = [] {
      if constexpr (engine::output_edge<plan>(Output) < 0)
        return engine::unfit_name_of_output<plan, Output>::wrong;
      else if constexpr (engine::input_edge<plan>(Input) < 0)
        return engine::unfit_name_of_input<plan, Input>::wrong;
      else return detail::unfit_carry<plan, Output, Input>;
    }();
  };
  template <class Session>
  static void start(Session& session) {
    set_input<Input>(session, zeros{});
  }
  template <class Session>
  static void hand_on(Session& session) {
    set_input<Input>(session, handed<Session>(session));
  }
  // How many numbers a state has; keep() appends the state to `to`, hand_on_kept() sets it from the numbers at `at`.
  template <class Session>
  static constexpr std::size_t count() {
    return std::size_t(layers<Session>) * rows<Session> * features<Session>;
  }
  template <class Session>
  static void keep(const Session& session, std::vector<double>& to) {
    const auto state = handed<Session>(session);
    for (std::size_t l = 0; l < layers<Session>; ++l)
      for (std::size_t r = 0; r < rows<Session>; ++r)
        for (std::size_t f = 0; f < features<Session>; ++f)
          if constexpr (has_layers<Session>) to.push_back(static_cast<double>(state(l, r, f)));
          else to.push_back(static_cast<double>(state(r, f)));
  }
  template <class Session>
  static void hand_on_kept(Session& session, const std::vector<double>& from, std::size_t& at) {
    using number = const typename Session::plan::scalar;
    const std::vector<std::remove_const_t<number>> state(
        from.begin() + static_cast<std::ptrdiff_t>(at),
        from.begin() + static_cast<std::ptrdiff_t>(at + count<Session>()));
    at += state.size();
    if constexpr (has_layers<Session>)
      set_input<Input>(session,
                       view<number>(state.data(), {layers<Session>, rows<Session>, features<Session>}));
    else set_input<Input>(session, view<number>(state.data(), {rows<Session>, features<Session>}));
  }

 private:
  template <class Session>
  static constexpr const auto& edge() {  // a function: clang 19 refuses a reference as a static template
    return Session::plan::net.edges[engine::output_edge<typename Session::plan>(Output)];
  }
  template <class Session>
  static constexpr std::size_t layers = static_cast<std::size_t>(edge<Session>().layers);
  template <class Session>
  static constexpr bool has_layers = edge<Session>().layers > 1;
  template <class Session>
  static constexpr std::size_t rows = static_cast<std::size_t>(Session::plan::batch);
  template <class Session>
  static constexpr std::size_t features = static_cast<std::size_t>(edge<Session>().size);

  // The joined output of all parts of a batch that is cut, as a tensor [rows, D] or [layers, rows, D].
  template <class Session>
  class output_of_shards {
    using plan = typename Session::plan;
    static constexpr int part_rows = Session::session_type::part_rows, parts = plan::batch / part_rows;

   public:
    using value_type = typename plan::scalar;
    explicit output_of_shards(const Session& session) {
      const auto& mine = session.session().group();
      first_ = mine.first();
      for (int k = mine.first(); k < mine.end(); ++k) parts_[k] = get<Output>(session.shard(k));
    }
    std::size_t dimension() const { return parts_[first_].rank(); }
    auto shape() const {
      std::array<std::size_t, 3> all{};
      for (std::size_t axis = 0; axis < dimension(); ++axis) all[axis] = parts_[first_].shape(axis);
      all[has_layers<Session> ? 1 : 0] = plan::batch;
      return all;
    }
    value_type operator()(auto row, auto feature) const {
      const auto& part = parts_[row / part_rows];
      return part.data_handle() == nullptr ? value_type(0) : part(row % part_rows, feature);
    }
    value_type operator()(auto layer, auto row, auto feature) const {
      const auto& part = parts_[row / part_rows];
      return part.data_handle() == nullptr ? value_type(0) : part(layer, row % part_rows, feature);
    }

   private:
    view<const value_type>
        parts_[parts]{};  // of this rank; the rows of others, which it does not run, are zeros
    int first_ = 0;
  };
  template <class Session>
  static auto handed(const Session& session) {
    if constexpr (engine::IsCut<Session>) return output_of_shards<Session>(session);
    else return get<Output>(session);
  }
};

namespace detail {
template <class>
inline constexpr bool is_carry = false;
template <ir::text Output, ir::text Input>
inline constexpr bool is_carry<carry<Output, Input>> = true;

// The error for names of a long text that are followed by something other than carry<..>.
template <class... Carried>
struct unfit_carried {
  static constexpr ir::problem wrong = [] {
    ir::problem p{};
    const auto look = [&]<class One>() {
      if (!p && !is_carry<One>)
        p = {.rule = ir::sentence("'")
                         .append(ir::type_name<One>().view())
                         .append("' cannot be carried from window to window"),
             .fix = "write contiguous<\"input\", carry<\"states.h_n\", \"h0\">>(text)"};
    };
    (look.template operator()<Carried>(), ...);
    return p;
  }();
};
}  // namespace detail

}  // namespace tenon::inline v0_1
