// contiguous<"x">(steps): one long text, or one long series of numbers, as a data set. It is cut into as many streams
// as a batch has rows. Window k of a stream is its steps k T .. (k + 1) T - 1, where T is the bound of the input's time
// axis, and the target of each step is the next step. Windows come in their order, and carry<"states.h_n", "h0"> passes
// a state from one to the next: back-propagation through time, truncated at the windows (Williams and Peng 1990).
//   fit(trainer, contiguous<"letters", carry<"states.h_n", "h0">>(text), {.epochs = 10})
// The target is the input "target", or the second name: contiguous<"letters", "next">(text). Steps are whole numbers,
// which are tokens, or numbers, or std::array<float, D> for an input of features<D>.
#pragma once

#include "tenon/data/carry.hpp"
#include "tenon/data/column_checks.hpp"
#include "tenon/diagnostics/wrong_call.hpp"
#include "tenon/engine/session/by_name.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon::inline v0_1 {

namespace detail {

// A step of a long sequence: a token, a number, or several.
template <class Step>
struct long_step {
  static constexpr bool is_token = std::is_integral_v<Step>;
  using number = Step;
  using features = std::conditional_t<is_token, Step, std::array<Step, 1>>;
};
template <class Number, std::size_t D>
struct long_step<std::array<Number, D>> {
  static constexpr bool is_token = false;
  using number = Number;
  using features = std::array<Number, D>;
};

template <ir::text Input, ir::text Target, class Steps, class... Carried>
class contiguous_steps {
  using step = long_step<element_of<std::remove_cvref_t<Steps>>>;
  using number = const typename step::number;

 public:
  explicit contiguous_steps(Steps all) : all_(static_cast<Steps&&>(all)) {
    checked_size("contiguous", std::size(all_), step::is_token ? "tokens" : "steps");
  }

  template <class Session>
  struct unfit {
    using plan = typename Session::plan;
    static constexpr ir::problem wrong = [] {
      ir::problem p{};
      if constexpr (engine::is_laid_out<plan>) {
        if constexpr (engine::input_edge<plan>(Input) < 0)
          p = engine::unfit_name_of_input<plan, Input>::wrong;
        else if constexpr (engine::input_edge<plan>(Target) < 0)
          p = engine::unfit_name_of_input<plan, Target>::wrong;
        else {
          using window = std::span<const std::span<const typename step::features>>;
          p = engine::unfit_input<plan, engine::input_edge<plan>(Input), window>::wrong;
          if (!p) p = engine::unfit_input<plan, engine::input_edge<plan>(Target), window>::wrong;
        }
        ((p = p ? p : Carried::template unfit<Session>::wrong), ...);
      }
      return p;
    }();
  };

  // How many tokens, or steps of numbers.
  int size() const { return static_cast<int>(std::size(all_)); }
  // Windows of an epoch; the last one may be shorter. Steps that do not fill a step of all streams are left out. Throws
  // input_error if there are not enough steps for one step of each stream.
  template <class Session>
  int windows(const Session&) const {
    const long steps = steps_of_stream<Session>(), bound = bound_of<Session>();
    if (steps < 1)
      throw input_error("contiguous: " + std::to_string(size()) + (step::is_token ? " tokens" : " steps") +
                        " are too few for " + std::to_string(Session::plan::batch) +
                        " streams, which need one each and one to predict");
    return static_cast<int>((steps + bound - 1) / bound);
  }
  template <class Session>
  void set_window(Session& session, int k) const {
    constexpr std::ptrdiff_t rows = Session::plan::batch, bound = bound_of<Session>();
    const std::ptrdiff_t steps = steps_of_stream<Session>(), from = k * bound;
    const std::ptrdiff_t some = steps - from < bound ? steps - from : bound;
    const auto window = [&](std::ptrdiff_t shift) {
      if constexpr (step::is_token)
        return view<number, 2>(std::data(all_) + from + shift, {rows, some}, {steps, 1});
      else
        return view<number, 3>(first_number() + (from + shift) * width, {rows, some, width},
                               {steps * width, width, 1});
    };
    set_input<Input>(session, window(0));
    set_input<Target>(session, window(1));
  }
  // Throws input_error, which names the position in the text, if a token is outside the range
  // of the input or the target.
  template <class Session>
  void check_inputs() const {
    if constexpr (step::is_token) {
      using plan = typename Session::plan;
      int position = 0;
      for (auto token : all_) {
        if (position + 1 < size())
          column_checks<plan, engine::input_edge<plan>(Input)>::token_of_text(token, position);
        if (position > 0)
          column_checks<plan, engine::input_edge<plan>(Target)>::token_of_text(token, position);
        ++position;
      }
    }
  }
  // Sets the carried states to zero.
  template <class Session>
  void start(Session& session) const {
    (Carried::start(session), ...);
  }
  template <class Session>
  void carry(Session& session) const {
    (Carried::hand_on(session), ...);
  }
  // To continue a run within an epoch: carried() returns the states that carry() passed on
  // last, start_from() restores them.
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
    return (static_cast<long>(std::size(all_)) - 1) / Session::plan::batch;
  }
  static constexpr std::ptrdiff_t width = sizeof(typename step::features) / sizeof(number);
  number* first_number() const {
    if constexpr (std::is_arithmetic_v<element_of<std::remove_cvref_t<Steps>>>) return std::data(all_);
    else return std::data(all_)->data();
  }
  Steps all_;
};

template <ir::text Input, ir::text Target, class Carried, class Steps>
struct contiguous_of;
template <ir::text Input, ir::text Target, class... Carried, class Steps>
struct contiguous_of<Input, Target, void(Carried...), Steps> {
  using type = contiguous_steps<Input, Target, kept<Steps>, Carried...>;
};
template <class>
inline constexpr bool is_array_of_numbers = false;
template <std::floating_point Number, std::size_t D>
inline constexpr bool is_array_of_numbers<std::array<Number, D>> = true;
// In memory, one step after the other.
template <class Steps>
concept LongRow = engine::Row<Steps> ||
    (SizedRange<Steps>&& is_array_of_numbers<element_of<Steps>>&& requires(const Steps& s) { std::data(s); });
template <class Steps>
concept LongSequence = LongRow<std::remove_cvref_t<Steps>>;
}  // namespace detail

// Throws input_error for more steps than an int can count.
template <ir::text Input, class... Carried, detail::LongSequence Steps>
requires(detail::is_carry<Carried>&&...) auto contiguous(Steps&& all) {
  using result = typename detail::contiguous_of<Input, "target", void(Carried...), Steps&&>::type;
  return result(static_cast<Steps&&>(all));
}
template <ir::text Input, ir::text Target, class... Carried, detail::LongSequence Steps>
requires(detail::is_carry<Carried>&&...) auto contiguous(Steps&& all) {
  using result = typename detail::contiguous_of<Input, Target, void(Carried...), Steps&&>::type;
  return result(static_cast<Steps&&>(all));
}
template <ir::text Input, class... Carried, detail::LongSequence Steps>
requires(!(detail::is_carry<Carried> && ...))  //
    detail::refused<detail::why<detail::unfit_carried<Carried...>>> contiguous(Steps&&);
template <ir::text Input, ir::text Target, class... Carried, detail::LongSequence Steps>
requires(!(detail::is_carry<Carried> && ...))  //
    detail::refused<detail::why<detail::unfit_carried<Carried...>>> contiguous(Steps&&);

#define TENON_SENTENCE                                                          \
  "contiguous takes one long range of tokens or numbers, behind a name: write " \
  "contiguous<\"input\">(tokens), "                                             \
  "or of a text contiguous<\"input\">(bytes_of(text))"
template <ir::text, class...>
TENON_CALL(TENON_SENTENCE, int)
contiguous(detail::in_braces, ...) TENON_SAID(TENON_SENTENCE);
template <ir::text, ir::text, class...>
TENON_CALL(TENON_SENTENCE, int)
contiguous(detail::in_braces, ...) TENON_SAID(TENON_SENTENCE);
template <class Given>
TENON_CALL(TENON_SENTENCE, int)
contiguous(const Given&, ...) TENON_SAID(TENON_SENTENCE);
#undef TENON_SENTENCE

}  // namespace tenon::inline v0_1
