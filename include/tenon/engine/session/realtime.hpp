// realtime: steps of a stream for a thread that must not wait. They allocate nothing, take no lock, throw nothing and make no system
// call; clang 20 and newer check this, -Wfunction-effects. They never pack weights: prepare() does, where the program
// says.
#pragma once

#include "tenon/engine/inputs/block_input.hpp"
#include "tenon/engine/refusals/value_errors.hpp"
#include "tenon/engine/run/crew.hpp"

#include <cassert>
#include <cstddef>
#include <span>

namespace tenon::inline v0_1 {

// What became of try_step or try_run. Nothing has changed, unless the steps were taken.
enum class step_status : unsigned char {
  taken,
  not_prepared,   // parameters or inputs have changed, or the stream has fewer rows: call prepare()
  wrong_size,     // not the numbers of a step of all rows, or of 1 to N steps, as many of each input
  unknown_token,  // outside the vocabulary
  past_bound      // all steps are kept, and the axis has no more
};

namespace engine {

// How a value is one step of all rows, or some steps of the only row, side by side; or some steps of each row, a range for each. All
// rows have all steps.
template <class Plan, given_as What, int E, class X>
struct value_now {
  static constexpr edge e = Plan::net.edges[E];
  static constexpr int size = e.is_token() ? 1 : int(e.size);
  template <class R>
  static constexpr bool has_elements = Row<R>&& std::integral<tenon::detail::element_of<R>> == e.is_token();
  static constexpr bool is_flat = [] {
    if constexpr (Row<X>) return has_elements<X> && (What == given_as::one_step || Plan::batch == 1);
    else return false;
  }();
  static constexpr bool is_of_rows = [] {
    if constexpr (What == given_as::a_block && (NumberRows<X> || Ragged<X>))
      return has_elements<tenon::detail::element_of<X>> && size == 1;
    else return false;
  }();
  static constexpr bool is_taken = (is_flat || is_of_rows) && !OnDevice<X> && e.layers == 1;

  // The steps in a row of so many numbers, or in all of them; 0: that is no number of steps.
  static constexpr int steps_in(std::size_t numbers) {
    constexpr std::size_t step =
        std::size_t(size) * (is_flat && What == given_as::one_step ? Plan::batch : 1);
    const std::size_t steps = numbers / step;
    return numbers % step == 0 && steps <= std::size_t(Plan::block) ? static_cast<int>(steps) : 0;
  }
  static int steps(const X& x) {
    if constexpr (is_flat) {
      return steps_in(std::size(x));
    } else {
      if (std::size(x) != std::size_t(Plan::batch)) return 0;
      int steps = -1;
      for (const auto& row : x) {
        const int mine = steps_in(std::size(row));
        if (steps >= 0 && mine != steps) return 0;
        steps = mine;
      }
      return steps;
    }
  }
  // The same, if the types of spans say so; 0: they do not.
  static constexpr int static_steps = [] {
    if constexpr (is_flat && is_static_span<X>) return steps_in(std::size_t(static_size<X>));
    else if constexpr (is_of_rows) {
      using row = tenon::detail::element_of<X>;
      if constexpr (is_static_span<row> && static_size<X> == Plan::batch)
        return steps_in(std::size_t(static_size<row>));
      else return 0;
    } else return 0;
  }();

  // f(number, its place among those of the input)
  template <class F>
  static void each(const X& x, F f) {
    if constexpr (is_flat) {
      const auto* const from = std::data(x);
      const std::size_t count = std::size(x);
      for (std::size_t k = 0; k < count; ++k) f(from[k], k);
    } else {
      std::size_t r = 0;
      for (const auto& row : x) {
        const auto* const from = std::data(row);
        const std::size_t count = std::size(row);
        for (std::size_t t = 0; t < count; ++t) f(from[t], t * Plan::batch + r);
        ++r;
      }
    }
  }
};

// Values that can be tried; and spans of a static extent, with which nothing can go wrong.
template <class Plan, given_as What, class... Given>
struct values_now {
  static constexpr auto inputs = given_inputs<Plan, true>;
  template <int... I>
  static constexpr bool are_taken(std::integer_sequence<int, I...>) {
    return (true && ... && value_now<Plan, What, inputs[I], Given>::is_taken);
  }
  template <int... I>
  static constexpr int find_steps(std::integer_sequence<int, I...>) {
    constexpr int all[]{value_now<Plan, What, inputs[I], Given>::static_steps...};
    for (int steps : all)
      if (steps != all[0]) return 0;
    return (false || ... || inputs_are_tokens<I>) ? 0 : all[0];
  }
  template <int I>
  static constexpr bool inputs_are_tokens = Plan::net.edges[inputs[I]].is_token();
  static constexpr bool fit = sizeof...(Given) > 0 && sizeof...(Given) == inputs.size &&
                              !backend::HasOwnMemory<typename Plan::backend>;
  static constexpr std::make_integer_sequence<int, sizeof...(Given)> each{};
  static constexpr bool may_be_tried = [] {
    if constexpr (fit) return are_taken(each);
    else return false;
  }();
  static constexpr bool cannot_fail = [] {
    if constexpr (fit && Plan::most_steps == 0) return find_steps(each) > 0;
    else return false;
  }();
};
template <class Plan, given_as What, class... Given>
concept MayBeTried = values_now<Plan, What, Given...>::may_be_tried;
template <class Plan, given_as What, class... Given>
concept CannotFail = values_now<Plan, What, Given...>::cannot_fail;

// What is wrong with the arguments of try_step and try_run, besides what is wrong with those of step and run.
template <class Plan, given_as What, class... Given>
struct unfit_trial {
  static constexpr problem wrong = [] {
    constexpr bool is_step = What == given_as::one_step;
    if constexpr (!is_laid_out<Plan>) return problem{};
    else if constexpr (unfit_values<Plan, What, Given...>::wrong)
      return unfit_values<Plan, What, Given...>::wrong;
    else
      return problem{.rule = backend::HasOwnMemory<typename Plan::backend> ? "a device keeps no deadline"
                             : is_step
                                 ? "try_step takes a flat range of each input: the numbers of all rows"
                                 : "try_run takes a flat range of each input: the steps of the only row",
                     .fix = is_step ? "write step, or give std::span or std::vector"
                                    : "write run, or of rows of one feature a range of ranges"};
  }();
};

// As long as it lives, a run is not shared: it would wait for other threads.
template <class T>
class alone_for_now {
 public:
  explicit alone_for_now(crew<T>*& place) TENON_NONBLOCKING : place_(place), threads_(place) {
    place = nullptr;
  }
  alone_for_now(const alone_for_now&) = delete;
  alone_for_now& operator=(const alone_for_now&) = delete;
  ~alone_for_now() { place_ = threads_; }

 private:
  crew<T>*& place_;
  crew<T>* threads_;
};

// Takes steps of all rows of a stream.
struct realtime {
  // Are the weights those of the parameters, and is everything given that stays?
  template <class S>
  static bool is_ready(const S& s) TENON_NONBLOCKING {
    return s.ran_on_these_ && s.theta_ != nullptr && s.packed_revision_ == s.theta_->revision() &&
           s.completed_with_ == s.theta_ && s.rows() == S::plan::batch;
  }
  template <given_as What, class S, class... Given>
  static step_status try_steps(S& s, const Given&... values) TENON_NONBLOCKING {
    return try_each<What>(s, std::make_integer_sequence<int, sizeof...(Given)>{}, values...);
  }
  template <given_as What, class S, class... Given>
  static void take(S& s, const Given&... values) TENON_NONBLOCKING {
    assert(is_ready(s) && "the parameters or an input have changed: call prepare()");
    if (s.completed_with_ == nullptr) return;  // never prepared: the outputs stay zero
    take_each<What>(s, std::make_integer_sequence<int, sizeof...(Given)>{}, values...);
  }

 private:
  template <class S>
  static constexpr auto inputs = given_inputs<typename S::plan, true>;

  template <given_as What, class S, int... I, class... Given>
  static step_status try_each(S& s, std::integer_sequence<int, I...> each,
                              const Given&... values) TENON_NONBLOCKING {
    using plan = typename S::plan;
    const int all[]{value_now<plan, What, inputs<S>[I], Given>::steps(values)...};
    for (int steps : all)
      if (steps == 0 || steps != all[0]) return step_status::wrong_size;
    bool are_known = true;
    ((are_known = are_known && has_known_tokens<plan, What, inputs<S>[I]>(values)), ...);
    if (!are_known) return step_status::unknown_token;
    if constexpr (plan::most_steps > 0)
      if (all[0] > plan::most_steps - s.counts_.most()) return step_status::past_bound;
    if (!is_ready(s)) return step_status::not_prepared;
    take_each<What>(s, each, values...);
    return step_status::taken;
  }
  template <class Plan, given_as What, int E, class X>
  static bool has_known_tokens([[maybe_unused]] const X& x) TENON_NONBLOCKING {
    bool are_known = true;
    if constexpr (Plan::net.edges[E].is_token())
      value_now<Plan, What, E, X>::each(x, [&](auto token, std::size_t) {
        are_known = are_known && input_checks<Plan>::template is_in_range<E>(token);
      });
    return are_known;
  }
  template <given_as What, class S, int... I, class... Given>
  static void take_each(S& s, std::integer_sequence<int, I...>, const Given&... values) TENON_NONBLOCKING {
    using plan = typename S::plan;
    int steps = 1;
    (store<What, inputs<S>[I]>(s, values, steps), ...);
    s.inputs_.lengths().take_steps(plan::batch, steps);
    s.counts_.begin_run(s.inputs_.lengths(), s.position());
    const alone_for_now<typename S::T> on_this_thread(s.context_.threads);
    s.run_steps();
  }
  template <given_as What, int E, class S, class X>
  static void store(S& s, const X& x, int& steps) TENON_NONBLOCKING {
    using plan = typename S::plan;
    using value = value_now<plan, What, E, X>;
    if constexpr (What == given_as::a_block) steps = value::steps(x);
    if constexpr (plan::net.edges[E].is_token()) {
      int* const to = s.inputs_.tokens()[E];
      value::each(x, [&](auto token, std::size_t at) { to[at] = static_cast<int>(token); });
    } else {
      auto* const to = s.numbers_[E];
      value::each(x, [&](auto number, std::size_t at) { to[at] = static_cast<typename S::T>(number); });
    }
  }
};

}  // namespace engine
}  // namespace tenon::inline v0_1
