// contiguous<"x">(tokens): one long text as a data set for a language model. It is cut into as many streams as a batch has rows;
// window k of a stream is its steps k T .. (k + 1) T - 1, T the bound of the input's time axis, and the target of each step is the
// token behind it. Windows come in their order, and carry<"states.h_n", "h0"> hands a state from one to the next: back-propagation
// through time, truncated at the windows (Williams and Peng 1990).
//   fit(trainer, contiguous<"letters", carry<"states.h_n", "h0">>(text), {.epochs = 10})
// The target is the input "target", or the second name: contiguous<"letters", "next">(text).
#pragma once

#include "tenon/data/column_checks.hpp"
#include "tenon/engine/session/by_name.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon {

// An output that becomes an input of the next window; zeros before the first.
template <ir::text Output, ir::text Input>
struct carry {
  template <class Session>
  struct unfit {
    using plan = typename Session::plan;
    static constexpr ir::problem wrong = [] {
      if constexpr (engine::output_edge<plan>(Output) < 0) return engine::unknown_output<plan, Output>::wrong;
      else if constexpr (engine::input_edge<plan>(Input) < 0)
        return engine::unknown_input<plan, Input>::wrong;
      else return ir::problem{};
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
  // What was handed on, behind the numbers of `to`; and as many of `from`, beginning at `at`, handed on anew.
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
  static constexpr const auto& edge() {  // a function: clang 19 takes no reference as a static template
    return Session::plan::net.edges[engine::output_edge<typename Session::plan>(Output)];
  }
  template <class Session>
  static constexpr std::size_t layers = static_cast<std::size_t>(edge<Session>().slabs);
  template <class Session>
  static constexpr bool has_layers = edge<Session>().slabs > 1;
  template <class Session>
  static constexpr std::size_t rows = static_cast<std::size_t>(Session::plan::batch);
  template <class Session>
  static constexpr std::size_t features = static_cast<std::size_t>(edge<Session>().size);

  // The output of all parts of a batch that is cut, as a tensor [rows, D] or [layers, rows, D].
  template <class Session>
  class output_of_shards {
    using plan = typename Session::plan;
    static constexpr int part_rows = Session::session_type::part_rows, parts = plan::batch / part_rows;

   public:
    using value_type = typename plan::scalar;
    explicit output_of_shards(const Session& session) {
      for (int k = 0; k < parts; ++k) parts_[k] = get<Output>(session.shard(k));
    }
    std::size_t dimension() const { return parts_[0].rank(); }
    auto shape() const {
      std::array<std::size_t, 3> all{};
      for (std::size_t axis = 0; axis < dimension(); ++axis) all[axis] = parts_[0].shape(axis);
      all[has_layers<Session> ? 1 : 0] = plan::batch;
      return all;
    }
    value_type operator()(auto row, auto feature) const {
      return parts_[row / part_rows](row % part_rows, feature);
    }
    value_type operator()(auto layer, auto row, auto feature) const {
      return parts_[row / part_rows](layer, row % part_rows, feature);
    }

   private:
    view<const value_type> parts_[parts];
  };
  template <class Session>
  static auto handed(const Session& session) {
    if constexpr (engine::IsCut<Session>) return output_of_shards<Session>(session);
    else return get<Output>(session);
  }
};

namespace detail {

template <ir::text Input, ir::text Target, class Tokens, class... Carried>
class contiguous_tokens {
 public:
  explicit contiguous_tokens(Tokens tokens) : tokens_(static_cast<Tokens&&>(tokens)) {}

  template <class Session>
  struct unfit {
    using plan = typename Session::plan;
    static constexpr ir::problem wrong = [] {
      ir::problem p{};
      if constexpr (engine::is_laid_out<plan>) {
        if constexpr (engine::input_edge<plan>(Input) < 0) p = engine::unknown_input<plan, Input>::wrong;
        else if constexpr (engine::input_edge<plan>(Target) < 0)
          p = engine::unknown_input<plan, Target>::wrong;
        ((p = p ? p : Carried::template unfit<Session>::wrong), ...);
      }
      return p;
    }();
  };

  // Tokens.
  int size() const { return static_cast<int>(std::size(tokens_)); }
  // Windows of an epoch, the last one maybe shorter. What does not fill a step of all streams is left out. Throws input_error
  // where there are fewer tokens than streams need for a step.
  template <class Session>
  int windows(const Session&) const {
    const long steps = steps_of_stream<Session>(), bound = bound_of<Session>();
    if (steps < 1)
      throw input_error("contiguous: " + std::to_string(size()) + " tokens are too few for " +
                        std::to_string(Session::plan::batch) +
                        " streams, which need one each and one to predict");
    return static_cast<int>((steps + bound - 1) / bound);
  }
  template <class Session>
  void set_window(Session& session, int k) const {
    constexpr std::ptrdiff_t rows = Session::plan::batch, bound = bound_of<Session>();
    using number = const std::remove_cvref_t<decltype(*std::data(tokens_))>;
    const std::ptrdiff_t steps = steps_of_stream<Session>(), from = k * bound;
    const std::ptrdiff_t some = steps - from < bound ? steps - from : bound;
    const auto window = [&](std::ptrdiff_t shift) {
      return view<number>(std::data(tokens_) + from + shift, {rows, some}, {steps, 1});
    };
    set_input<Input>(session, window(0));
    set_input<Target>(session, window(1));
  }
  // Throws input_error, which names the position in the text, where a token is outside the range of the input, or of the target.
  template <class Session>
  void check_inputs() const {
    using plan = typename Session::plan;
    int position = 0;
    for (auto token : tokens_) {
      if (position + 1 < size())
        column_checks<plan, engine::input_edge<plan>(Input)>::token(token, position, -1, "position");
      if (position > 0)
        column_checks<plan, engine::input_edge<plan>(Target)>::token(token, position, -1, "position");
      ++position;
    }
  }
  // The carried states are zero.
  template <class Session>
  void start(Session& session) const {
    (Carried::start(session), ...);
  }
  template <class Session>
  void carry(Session& session) const {
    (Carried::hand_on(session), ...);
  }
  // What a run that goes on within an epoch needs: the states that carry() handed on last, and back to them.
  template <class Session>
  std::vector<double> carried(const Session& session) const {
    std::vector<double> all;
    (Carried::keep(session, all), ...);
    return all;
  }
  template <class Session>
  static constexpr std::size_t carried_count() {
    return (std::size_t(0) + ... + Carried::template count<Session>());
  }
  template <class Session>
  void start_from(Session& session, [[maybe_unused]] const std::vector<double>& carried) const {
    [[maybe_unused]] std::size_t at = 0;
    (Carried::hand_on_kept(session, carried, at), ...);
  }

 private:
  template <class Session>
  static constexpr long bound_of() {
    return Session::plan::steps(engine::input_edge<typename Session::plan>(Input));
  }
  template <class Session>
  long steps_of_stream() const {
    return (static_cast<long>(std::size(tokens_)) - 1) / Session::plan::batch;
  }
  Tokens tokens_;
};

template <ir::text Input, ir::text Target, class Carried, class Tokens>
struct contiguous_of;
template <ir::text Input, ir::text Target, class... Carried, class Tokens>
struct contiguous_of<Input, Target, void(Carried...), Tokens> {
  // What is handed over as an lvalue is read where it is.
  using kept = std::conditional_t<std::is_lvalue_reference_v<Tokens>, const std::remove_reference_t<Tokens>&,
                                  std::remove_cvref_t<Tokens>>;
  using type = contiguous_tokens<Input, Target, kept, Carried...>;
};
template <class Tokens>
concept TokenRow =
    engine::Row<std::remove_cvref_t<Tokens>> && std::is_integral_v<element_of<std::remove_cvref_t<Tokens>>>;
}  // namespace detail

template <ir::text Input, class... Carried, detail::TokenRow Tokens>
auto contiguous(Tokens&& tokens) {
  using result = typename detail::contiguous_of<Input, "target", void(Carried...), Tokens&&>::type;
  return result(static_cast<Tokens&&>(tokens));
}
template <ir::text Input, ir::text Target, class... Carried, detail::TokenRow Tokens>
auto contiguous(Tokens&& tokens) {
  using result = typename detail::contiguous_of<Input, Target, void(Carried...), Tokens&&>::type;
  return result(static_cast<Tokens&&>(tokens));
}

}  // namespace tenon
