// streaming<G>: runs a graph one step at a time, or a block of steps, and keeps the states.
#pragma once

#include "tenon/backend/instruction_set.hpp"
#include "tenon/engine/inputs/block_input.hpp"
#include "tenon/engine/inputs/members_as_inputs.hpp"
#include "tenon/engine/inputs/step_input.hpp"
#include "tenon/engine/refusals/whole_sequences.hpp"
#include "tenon/engine/session/block_runs.hpp"
#include "tenon/engine/session/by_name.hpp"
#include "tenon/engine/session/realtime.hpp"
#include "tenon/engine/session/step_counts.hpp"
#include "tenon/engine/session/stream_states.hpp"

#include <cstring>

namespace tenon::inline v0_1 {

inline namespace TENON_INSTRUCTION_SET {

// Runs a graph one step at a time, if no step depends on later ones, and keeps its states. Recurrent layers run forward
// only; layers that see earlier steps (causal attention and convolutions, shift) read those that the stream keeps.
//   streaming<model> live(theta);
//   live.step(frame)     -> the output of this step, [rows, D]
//   live.reset();        the next step is the first of a sequence
// With block<64> it also takes from 1 to 64 steps at once, which costs less than single steps:
//   live.run(samples)    -> the outputs of these steps, [rows, steps, D]
// It steps along the axes of the outputs. An input on another axis, such as an encoder's sequence, is given once as a
// whole by set_input; values that do not depend on the steps are computed once after that.
template <class G, class... Options>
class streaming : public engine::session<engine::plan_of<G, void, engine::purpose::streaming, Options...>>,
                  public engine::runs_of_stream<streaming<G, Options...>, G, Options...> {
  static_assert(tenon::detail::say<tenon::detail::error_in<detail::problem_of<G, void>>>());
  static_assert(
      tenon::detail::say<
          tenon::detail::error_in<engine::unfit_option<G, void, engine::purpose::streaming, Options...>>>());
  using base = engine::session<engine::plan_of<G, void, engine::purpose::streaming, Options...>>;

 public:
  using plan = typename base::plan;
  using T = typename base::T;

  static_assert(tenon::detail::say<tenon::detail::error_in<engine::whole_sequence_needed<plan>>>());

  streaming() = default;
  streaming(const streaming& TENON_COPY(TENON_COPIED_SESSION)) TENON_DELETED(TENON_COPIED_SESSION);
  TENON_CALL(TENON_COPIED_SESSION, streaming&)
  operator=(const streaming&) TENON_DELETED(TENON_COPIED_SESSION);
  // Binds the session to theta, which must outlive it.
  explicit streaming(const parameters<G, T>& theta) : theta_(&theta) {}
  // So many threads share its large kernels; the bits of all results stay the same.
  streaming(const parameters<G, T>& theta,
            threads at_most) requires(!backend::HasOwnMemory<typename plan::backend>)  //
      : theta_(&theta) {
    this->use_threads(at_most);
  }
  template <TENON_SAYS_AND(TENON_BOUND_TO_TEMPORARY) std::same_as<parameters<G, T>> Theta>
  explicit streaming(Theta&&) TENON_DELETED(TENON_BOUND_TO_TEMPORARY);
  template <TENON_SAYS_AND(TENON_BOUND_TO_SCALAR) engine::OfOtherScalar<G, T> Theta>
  explicit streaming(const Theta&) TENON_DELETED(TENON_BOUND_TO_SCALAR);
  template <TENON_SAYS_AND(TENON_BOUND_TO_OTHER) engine::OfOtherGraph<G, T> Theta>
  explicit streaming(const Theta&) TENON_DELETED(TENON_BOUND_TO_OTHER);
  template <TENON_SAYS_AND(TENON_OPTIONS_AS_ARGUMENTS) class Theta, class First, class... More>
  streaming(const Theta&, const First&, const More&...) TENON_DELETED(TENON_OPTIONS_AS_ARGUMENTS);
  explicit streaming(const auto&) requires std::same_as<G, engine::graph_as_value> {}  // reported already

  // Starts a new sequence: the next step begins with the initial states that were set, or with zeros.
  void reset() TENON_NONBLOCKING {
    position().reset();
    counts_.reset();
  }

  // Row r continues from the states of row rows[r]. `rows` are whole numbers; the next step has at most as many rows.
  // Inputs given by set_input are not moved. Throws input_error and changes nothing if a row does not exist or no step
  // has been taken.
  template <class Rows>
  requires(engine::Row<Rows>&& std::integral<tenon::detail::element_of<Rows>>) void permute_rows(
      const Rows& rows) {
    const auto n = std::size(rows);
    engine::check_permutation(n, base::B, position().carries());
    for (std::size_t r = 0; r < n; ++r) {
      const auto from = std::data(rows)[r];
      if (std::cmp_less(from, 0) || std::cmp_greater_equal(from, carried_rows()))
        tenon::detail::throw_input_error(
            {"permute_rows: row ", r, " from row ", from, ", and the stream has ", carried_rows(), " rows"});
      from_[r] = static_cast<int>(from);
    }
    fetch_states(position().is_odd());
    engine::permute_states(this->shown_.memory(), states().begin(), states().size, base::B,
                           position().is_odd(), from_, static_cast<int>(n));
    send_states(!position().is_odd());
    if constexpr (plan::has_counted_steps) permute_steps(static_cast<int>(n));
    if (std::cmp_not_equal(n, carried_rows())) this->ran_on_these_ = false;  // another number of rows
    position().permuted(static_cast<int>(n));
  }

  // Takes one step of every input that it steps along, in the order of the graph: tokens [rows]; numbers [rows, D], flat, or a
  // range of numbers for each row. Set all other inputs before by set_input: those without steps, such as initial
  // states, and whole sequences; they stay. Returns the output of this step, [rows, D], or a tuple of all outputs.
  // Throws input_error and changes nothing if there are more rows than in the step before, or if a row has reached the
  // bound of an axis whose steps are all kept.
  template <class... Given>
      engine::step_outputs_of<plan> step(const parameters<G, T>& theta, const Given&... values) & requires
      engine::Fitting<plan, engine::unfit_values<plan, engine::given_as::one_step, Given...>> {
    if constexpr (!fits<G>) {
      return {};
    } else {
      if constexpr (engine::members_as_inputs<Given...>::exist)
        engine::members_as_inputs<Given...>::template with_steps<plan>(
            values..., [&](const auto&... each) { take<false>(theta, each...); });
      else take<false>(theta, values...);
      return this->outputs_of_step();
    }
  }
  template <class... Given>
      engine::step_outputs_of<plan> step(const Given&... values) & requires
      engine::Fitting<plan, engine::unfit_call<G, T, plan, engine::given_as::one_step, Given...>> {
    return step(*engine::bound(theta_, "step(theta, ..)"), values...);
  }
  template <class... Given>
      tenon::detail::refused<
          tenon::detail::why<engine::unfit_call<G, T, plan, engine::given_as::one_step, Given...>>>
      step(const Given&...) &
      requires(!engine::Fitting<plan, engine::unfit_call<G, T, plan, engine::given_as::one_step, Given...>>);
  // The same for a thread with a deadline: each value is a std::span of numbers with a static extent, rows x D. It cannot
  // fail, and packs nothing: that prepare() was called after parameters or inputs changed is asserted; without assertions
  // it uses the weights packed last.
  template <class... Given>
      engine::step_outputs_of<plan> step(const Given&... values) & TENON_NONBLOCKING
      requires(engine::Fitting<plan, engine::unfit_call<G, T, plan, engine::given_as::one_step, Given...>>&&
                   engine::CannotFail<plan, engine::given_as::one_step, Given...>) {
    engine::realtime::take<engine::given_as::one_step>(*this, values...);
    return this->outputs_of_step();
  }
  // The same for flat ranges of any length, and for tokens. If something is wrong, says so and changes nothing.
  template <class... Given>
      step_status try_step(const Given&... values) &
      TENON_NONBLOCKING requires engine::MayBeTried<plan, engine::given_as::one_step, Given...> {
    return engine::realtime::try_steps<engine::given_as::one_step>(*this, values...);
  }
  template <class... Given>
      tenon::detail::refused<
          tenon::detail::why<engine::unfit_trial<plan, engine::given_as::one_step, Given...>>>
      try_step(const Given&...) & requires(!engine::MayBeTried<plan, engine::given_as::one_step, Given...>);
  // Packs the weights of the parameters to which the stream is bound, and computes what no step changes, for all rows of the batch:
  // call it after parameters or inputs have changed, where it may take its time. Throws input_error if an input
  // without steps is missing.
  void prepare() {
    const auto& theta = *engine::bound(theta_, "streaming<graph> live(theta)");
    const int rows = position().starts() ? int(base::B) : carried_rows();
    engine::repeat<inputs.size>([&](auto i) {  // numbers that no step reads
      constexpr int e = inputs[i];
      this->inputs_.template begin<e>(rows);
      for (int r = 0; r < rows; ++r) this->inputs_.lengths().template set<e>(r, 1);
    });
    complete(theta);
    this->ran_on_these_ = true;
  }
  TENON_CALL(TENON_BRACES_OF_VALUES, engine::step_outputs_of<plan>)
  step(tenon::detail::in_braces, ...) TENON_SAID(TENON_BRACES_OF_VALUES);
  template <class Given>
  TENON_CALL(TENON_BRACES_OF_VALUES, engine::step_outputs_of<plan>)
  step(const volatile Given&, tenon::detail::in_braces, ...) TENON_SAID(TENON_BRACES_OF_VALUES);
  template <class... Given>
  TENON_CALL(TENON_CONST_SESSION, engine::step_outputs_of<plan>)
  step(const Given&...) const& TENON_SAID(TENON_CONST_SESSION);
  template <class... Given>
      TENON_CALL(TENON_OUTPUTS_OF_TEMPORARY, engine::step_outputs_of<plan>)
      step(const Given&...) && TENON_SAID(TENON_OUTPUTS_OF_TEMPORARY);

 private:
  friend engine::access;
  friend engine::state_access;
  friend engine::realtime;
  friend engine::runs_of_stream<streaming, G, Options...>;
  static auto states() { return engine::kept_in_stream<plan>::states(); }
  static auto histories() { return engine::kept_in_stream<plan>::histories(); }
  static constexpr bool has_whole_outputs_of_steps = [] {
    for (int e : base::net.outputs)
      if (plan::is_whole_edge(e) && plan::at_each_step.edge[base::net.owner(e)]) return true;
    return false;
  }();

  engine::stream_position& position() const { return this->context_.stream; }
  template <bool InBlock, class... Given>
  void take(const parameters<G, T>& theta, const Given&... values) {
    constexpr std::make_integer_sequence<int, sizeof...(Given)> all{};
    constexpr bool is_bounded = plan::most_steps > 0;  // so each step may be one too many
    if constexpr (!InBlock && is_bounded) check_rows(values...);
    if (continues<InBlock>(theta, all, values...)) {
      counts_.begin_run(this->inputs_.lengths(), position());
      this->send_inputs();
    } else {
      if constexpr (!InBlock && !is_bounded) check_rows(values...);
      give_all<InBlock>(theta, all, values...);
    }
    run_steps();
  }
  void run_steps() {
    this->execute().forward();
    this->shown_.ran();
    counts_.ran(this->inputs_.lengths());
    if constexpr (has_whole_outputs_of_steps) this->finish_outputs();
    position().took_step();
    this->ran_on_these_ = true;
  }
  // Hides the base's give: a new input makes the stream repeat what it computes once.
  template <int E, class... Given>
  void give(const Given&... values) {
    base::template give<E>(values...);
    begins_ = true;
  }
  // Copies all states in one of their two places from, or to, the backend's memory.
  void fetch_states(bool place) const {
    for (const auto& s : states()) this->shown_.fetch(s.places[place], long(base::B) * s.size);
  }
  void send_states(bool place) {
    for (const auto& s : states()) this->shown_.send(s.places[place], long(base::B) * s.size);
  }
  // Checks the rows of a step: if there are states, each row must have one; if all steps are kept, there must be room.
  template <class... Given>
  void check_rows(const Given&... values) const {
    int rows = this->rows();
    const int* continuing = nullptr;
    [&]<int... I>(std::integer_sequence<int, I...>) {
      (engine::step_input<plan, inputs[I]>::look_at_rows(values, rows, continuing), ...);
    }
    (std::make_integer_sequence<int, sizeof...(Given)>{});
    if constexpr (engine::carries_states<plan> || plan::has_counted_steps)
      if (rows <= base::B && rows > carried_rows()) engine::refuse_more_rows("step", carried_rows(), rows);
    if constexpr (plan::most_steps > 0)
      for (int r = 0; r < base::B && r < rows; ++r)
        check_bound(r, continuing == nullptr || continuing[r] != 0);
  }
  void check_bound(int row, int steps) const {
    if (const int before = counts_.of_row(row); steps > 0 && steps > plan::most_steps - before)
      engine::refuse_step_past_bound(row, before, steps,
                                     engine::input_checks<plan>::template axis_name<plan::bounded_axis>());
  }
  // Checks the steps that have been given to a run, before they become those of the next one.
  void check_block() const {
    constexpr int first = base::net.find_input(inputs[0]);
    const auto& buffers = this->inputs_;
    const int* const lengths = buffers.lengths().lengths_of(first);
    const int rows = buffers.given_rows(inputs[0]);
    if constexpr (engine::carries_states<plan> || plan::has_counted_steps)
      if (rows > carried_rows()) engine::refuse_more_rows("run", carried_rows(), rows);
    if (*std::max_element(lengths, lengths + rows) == 0) engine::refuse_run_of_nothing();
    engine::repeat<inputs.size>([&](auto i) {
      using checks = engine::input_checks<plan>;
      constexpr int e = inputs[i], number = base::net.find_input(e);
      const int* const others = buffers.lengths().lengths_of(number);
      for (int r = 0; r < rows; ++r)
        if (others[r] != lengths[r])
          engine::refuse_other_steps(checks::template path<inputs[0]>(), lengths[r],
                                     checks::template path<e>(), others[r], r);
    });
    if constexpr (plan::most_steps > 0)
      for (int r = 0; r < rows; ++r) check_bound(r, lengths[r]);
  }
  // Copies all histories, up to the last step that a row has taken, from or to the backend's memory.
  void fetch_histories() const {
    for (const auto& h : histories()) this->shown_.fetch(h.place, h.elements(counts_.most(), base::B));
  }
  void send_histories() {
    for (const auto& h : histories()) this->shown_.send(h.place, h.elements(counts_.most(), base::B));
  }
  // Moves the histories and step counts of n rows: row r becomes row from_[r].
  void permute_steps(int n) {
    fetch_histories();
    engine::permute_histories(this->shown_.memory(), histories().begin(), histories().size, base::B,
                              counts_.most(), from_, n);
    send_histories();
    counts_.permute(from_, n);
  }

  // The rows that have states. Before the first step, with zero states, all rows of the batch.
  int carried_rows() const {
    const engine::stream_position& at = position();
    return at.rows() > 0 ? at.rows() : at.starts() ? int(base::B) : this->rows();
  }
  // The inputs of a step.
  static constexpr auto inputs = engine::given_inputs<plan, true>;
  // Checks and stores each input, and packs the weights if they have changed.
  template <bool InBlock, int... I, class... Given>
  [[gnu::noinline]] void give_all(const parameters<G, T>& theta, std::integer_sequence<int, I...>,
                                  const Given&... values) {
    if constexpr (InBlock) {
      (give_block<inputs[I]>(values), ...);
      check_block();
    } else {
      (give_step<inputs[I]>(values), ...);
    }
    complete(theta);
  }
  // Checks that the inputs fit each other, packs the weights if they have changed, and computes what no step changes.
  void complete(const parameters<G, T>& theta) {
    [[maybe_unused]] const bool is_other = this->packed_revision_ != theta.revision();
    this->complete_inputs();
    counts_.begin_run(this->inputs_.lengths(), position());
    this->send_inputs_and_weights(theta);
    completed_with_ = &theta;
    if constexpr (plan::begins)
      if (begins_ || is_other || this->rows() > begun_rows_) {
        this->execute().begin();
        this->finish_outputs();
        begins_ = false;
        begun_rows_ = this->rows();
      }
  }
  // Shortcut: if every input is rows of numbers, as many as in the last step, or in a block the steps of the only row, and
  // the weights are the same, only the numbers are copied.
  template <int E, class X>
  static constexpr bool is_plain = engine::Row<X> && !engine::OnDevice<X> && !base::net.edges[E].is_token() &&
                                   base::net.edges[E].layers == 1;
  template <bool InBlock, int... I, class... Given>
  bool continues(const parameters<G, T>& theta, std::integer_sequence<int, I...>, const Given&... values) {
    if constexpr ((is_plain<inputs[I], Given> && ...) && !(InBlock && (base::B > 1 || sizeof...(I) == 0))) {
      const int rows = this->rows();
      int steps = 1;
      if constexpr (InBlock) {
        std::size_t count = 0;
        ((I == 0 && (count = std::size(values) / base::net.edges[inputs[I]].size)), ...);
        if (count == 0 || count > plan::block) return false;
        steps = static_cast<int>(count);
        if constexpr (plan::most_steps > 0) check_bound(0, steps);
      }
      const auto numbers = [&](int e) {
        return static_cast<std::size_t>(rows * steps * base::net.edges[e].size);
      };
      const bool is_prepared =
          this->ran_on_these_ && !position().starts() && this->packed_revision_ == theta.revision() &&
          this->context_.memory.parameters == engine::data_on<typename plan::backend>(theta);
      const bool same = is_prepared && ((std::size(values) == numbers(inputs[I])) && ...);
      if (!same) return false;
      if constexpr (plan::in_blocks) this->inputs_.lengths().take_steps(rows, steps);
      (copy_rows<inputs[I], InBlock>(std::data(values), steps), ...);
      return true;
    } else {
      return false;
    }
  }
  // Copies a step of each row, or the steps of the only row.
  template <int E, bool InBlock, class Number>
  void copy_rows(const Number* from, int steps) {
    constexpr int D = base::net.edges[E].size;
    const int there = InBlock ? steps : this->rows(), all = InBlock ? steps : int(base::B);
    this->inputs_.on_device.template given_by_program<E>();
    T* to = this->numbers_[E];
    for (int r = 0; r < all; ++r, from += D, to += D) {  // the first row always exists
      if (r > 0 && r >= there) return void(std::fill_n(to, (all - r) * D, T(0)));
      if constexpr (!std::same_as<Number, T>)
        std::transform(from, from + D, to, [](Number x) { return static_cast<T>(x); });
      else if (from != to) std::memcpy(to, from, D * sizeof(T));  // an output may be this input
    }
  }
  template <int E, class X>
  void give_step(const X& x) {
    engine::step_input<plan, E>::give(
        x, [this](const auto&... sequence) { this->base::template give<E>(sequence...); },
        [this](const auto&... numbers) {
          engine::given_values<plan>{this->inputs_}.template set_step<E>(numbers..., this->numbers_[E]);
        });
  }

  template <int E, class X>
  void give_block(const X& x) {
    engine::block_input<plan, E>::give(
        x, [this](const auto&... sequences) { this->base::template give<E>(sequences...); },
        [this](const auto& samples) {
          engine::given_values<plan>{this->inputs_}.template set_samples<E>(samples, this->numbers_[E]);
        });
  }

  const parameters<G, T>*theta_ = nullptr,
                      *completed_with_ = nullptr;  // to which it is bound; of the last complete()
  bool begins_ = true;                             // values that are computed once must be computed
  int begun_rows_ = 0;                             // for how many rows they were
  int from_[base::B]{};                            // of permute_rows
  engine::step_counts<plan> counts_;
  engine::set_states<base::net.operations.size> set_states_{this->context_.stream};
};

template <class Given, class... More>
requires(!engine::IsBlock<Given>) streaming(const Given&, const More&...)
->streaming<engine::graph_as_value>;

}  // namespace TENON_INSTRUCTION_SET
}  // namespace tenon::inline v0_1
