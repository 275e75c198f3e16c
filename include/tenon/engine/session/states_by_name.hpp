// The states of a stream by name: get_state<"decoder">(live), set_state<"decoder.c_n">(live, numbers), copy_states(from, to).
//
// "node" and "node.h_n" are the first state of a recurrent node, "node.c_n" is the second, "node.state_2_n" the third: the names of
// its last states in a whole run. Each is [rows, size], or with several layers [layers, rows, size]. Nothing allocates.
#pragma once

#include "tenon/engine/inputs/copy_features.hpp"
#include "tenon/engine/session/state_errors.hpp"
#include "tenon/engine/session/streaming.hpp"

namespace tenon::inline v0_1 {

namespace engine {

template <class S>
concept Stream = requires {
  typename S::plan;
}
&&S::plan::streaming;

template <class S>
struct unfit_stream {
  static constexpr problem wrong{
      .rule = "only a stream carries states from step to step",
      .fix = "write streaming<graph>; a whole run has its last states as outputs, node.h_n"};
};

// What is wrong with reading or setting a state; nothing, if an error of the graph was reported already.
template <class S, text Name>
struct unfit_getting {
  static constexpr problem wrong = [] {
    if constexpr (!Stream<S>) return unfit_stream<S>::wrong;
    else if constexpr (!is_laid_out<typename S::plan> || state_of<typename S::plan, Name>.first >= 0)
      return problem{};
    else return unfit_name_of_state<typename S::plan, Name>::wrong;
  }();
};
template <class S, text Name, class X>
struct unfit_setting_state {
  static constexpr problem wrong = [] {
    if constexpr (std::is_const_v<S>) return const_session<S>::wrong;
    else if constexpr (unfit_getting<S, Name>::wrong) return unfit_getting<S, Name>::wrong;
    else if constexpr (std::same_as<X, zeros> || !is_laid_out<typename S::plan>) return problem{};
    else return unfit_state<typename S::plan, Name, X>::wrong;
  }();
};

template <class From, class To>
struct states_of_another {
  static constexpr problem wrong = [] {
    if constexpr (std::same_as<From, To>) return problem{};
    sentence rule = "these are the states of graph '";
    rule.append(title_of<From>()).append("', the other stream runs ");
    if (title_of<From>() == title_of<To>()) rule.append("another graph of this name");
    else rule.append("graph '").append(title_of<To>()).append("'");
    return problem{
        .rule = rule,
        .fix = "copy a state by its name: set_state<\"node.h_n\">(to, get_state<\"node.h_n\">(from))"};
  }();
};

struct state_access {
  template <text Name, class S>
  static auto get(const S& s) {
    constexpr found_state f = state_of<typename S::plan, Name>;
    constexpr carried_state c = carried_states<typename S::plan>[f.first];
    if (!s.position().carries(c.operation, c.state))
      tenon::detail::throw_input_error(
          {"state '", characters(Name.view()),
           "': the stream is at the beginning, where there is none yet; take a step first"});
    const long place = c.places[s.position().is_odd()];
    s.shown_.fetch(place, (f.layers - 1) * f.apart + long(S::plan::batch) * c.size);
    const typename S::T* const x = s.shown_.memory() + place;
    const std::ptrdiff_t rows = s.carried_rows();
    if constexpr (f.layers == 1) return view<const typename S::T, 2>(x, {rows, c.size}, {c.size, 1});
    else return view<const typename S::T, 3>(x, {f.layers, rows, c.size}, {f.apart, c.size, 1});
  }

  // The first state that is set fixes the number of rows, and so does a step.
  template <class S>
  static void check_rows(const S& s, characters name, std::size_t rows) {
    using tenon::detail::throw_input_error;
    constexpr int most = S::plan::batch;
    if (rows == 0 || rows > static_cast<std::size_t>(most))
      throw_input_error(
          {"state '", name, "': expected from 1 to ", most, " rows, as batch<", most, "> has, got ", rows});
    if (s.position().knows_rows() && std::cmp_not_equal(rows, s.carried_rows()))
      throw_input_error(
          {"state '", name, "': expected ", s.carried_rows(), " rows, as the stream has, got ", rows});
  }
  // row(l, r, to) writes row r of layer l to `to`.
  template <text Name, class S, class Row>
  static void write(S& s, std::size_t rows, Row row) {
    constexpr found_state f = state_of<typename S::plan, Name>;
    constexpr const auto& all = carried_states<typename S::plan>;
    constexpr int size = all[f.first].size;
    using T = typename S::T;
    int layer = 0;
    for (const carried_state& c : all) {
      if (!c.is_named(Name.view())) continue;
      const long place = c.places[s.position().is_odd()];
      T* const to = s.shown_.memory() + place;
      for (std::size_t r = 0; r < rows; ++r) row(layer, r, to + r * static_cast<std::size_t>(size));
      std::fill_n(to + rows * static_cast<std::size_t>(size),
                  (S::plan::batch - static_cast<long>(rows)) * size, T(0));
      s.shown_.send(place, long(S::plan::batch) * size);
      ++layer;
      s.position().set(c.operation, c.state);
    }
    s.position().has_rows(static_cast<int>(rows));
  }
  template <text Name, class S, class X>
  static void set(S& s, const X& x) {
    using tenon::detail::throw_input_error;
    using T = typename S::T;
    constexpr found_state f = state_of<typename S::plan, Name>;
    [[maybe_unused]] constexpr int size = carried_states<typename S::plan>[f.first].size;
    constexpr characters called = Name.view();
    if constexpr (concepts::TensorExpression<X>) {
      constexpr std::size_t rank = f.layers > 1 ? 3 : 2;
      if (x.dimension() != rank)
        throw_input_error({"state '", called, "': expected rank ", rank, ", got rank ", x.dimension()});
      const auto extent = [&](std::size_t axis) { return static_cast<std::size_t>(x.shape()[axis]); };
      if (f.layers > 1 && extent(0) != static_cast<std::size_t>(f.layers))
        throw_input_error({"state '", called, "': expected ", int(f.layers), " layers, got ", extent(0)});
      if (extent(rank - 1) != static_cast<std::size_t>(size))
        throw_input_error({"state '", called, "': expected ", size, " features, got ", extent(rank - 1)});
      check_rows(s, called, extent(rank - 2));
      write<Name>(s, extent(rank - 2), [&](int layer, std::size_t r, T* to) {
        if constexpr (f.layers > 1) copy_features<size>(x, to, layer, r);
        else copy_features<size>(x, to, r);
      });
    } else {
      const std::size_t count = std::size(x);
      if (count % size != 0)
        throw_input_error({"state '", called, "': expected a multiple of ", size, " numbers, got ", count});
      check_rows(s, called, count / size);
      write<Name>(s, count / size, [&](int, std::size_t r, T* to) {
        for (std::size_t j = 0; j < size; ++j) to[j] = static_cast<T>(std::data(x)[r * size + j]);
      });
    }
  }
  template <text Name, class S>
  static void clear(S& s) {
    [[maybe_unused]] constexpr int size =
        carried_states<typename S::plan>[state_of<typename S::plan, Name>.first].size;
    const bool is_counted = s.position().knows_rows();
    const int rows = is_counted ? s.carried_rows() : S::plan::batch;
    write<Name>(s, static_cast<std::size_t>(rows),
                [](int, std::size_t, auto* to) { std::fill_n(to, size, 0); });
    if (!is_counted) s.position().has_rows(0);  // zeros fit any number of rows
  }
  // --- for a search with several rows for each given row ---
  // The rows of the inputs that stay the same at every step; -1: there are none, or they have not been given.
  template <class S>
  static int rows_that_stay(const S& s) {
    int rows = -1;
    each_that_stays(s, [&]<int E>() {
      if (S::is_needed(E)) rows = s.inputs_.given_rows(E);
    });
    return rows;
  }
  // Repeats each row of the inputs that stay `times` times, side by side ..
  template <class S>
  static void repeat_rows(S& s, int times) {
    each_that_changes(s, [&]<int E>() {
      s.shown_.template bring<E>(s.inputs_);
      const int rows = s.inputs_.given_rows(E);
      for (int r = rows * times - 1; r > 0; --r) s.inputs_.template copy_row<E>(r / times, r, s.numbers_[E]);
      s.inputs_.template keep_rows<E>(rows * times, s.numbers_[E]);
    });
  }
  // .. and undoes this: each row is there once again.
  template <class S>
  static void unite_rows(S& s, int times) {
    each_that_changes(s, [&]<int E>() {
      s.shown_.template bring<E>(s.inputs_);
      const int rows = s.inputs_.given_rows(E) / times;
      for (int r = 1; r < rows; ++r) s.inputs_.template copy_row<E>(r * times, r, s.numbers_[E]);
      s.inputs_.template keep_rows<E>(rows, s.numbers_[E]);
    });
  }

  // Some steps of some rows, of a stream that steps along one input of tokens: one each, or as many as a block has.
  template <class S>
  static void step(S& s, const tokens_of_some& tokens) {
    const auto& theta = *bound(s.theta_, "step(theta, ..)");
    s.template take<S::plan::in_blocks>(theta, tokens);
  }
  // A row of output E at a step of the last run.
  template <int E, class S>
  static view<const typename S::T> output_of_step(const S& s, int row, int step) {
    if constexpr (S::plan::in_blocks && S::plan::is_stepped_edge(E)) return s.template output<E>()[row][step];
    else return s.template output<E>()[row];
  }

  template <class From, class To>
  static void copy(const From& from, To& to) {
    if (!from.position().carries()) return to.reset();
    // Zeros before the first step fit any number of rows, so also the number of rows of the other stream.
    const bool is_counted = from.position().knows_rows();
    const int rows = is_counted ? from.carried_rows() : std::min(From::plan::batch, To::plan::batch);
    if (rows > To::plan::batch)
      tenon::detail::throw_input_error({"copy_states: ", rows, " rows, and the other stream has room for ",
                                        int(To::plan::batch), ", batch<", int(To::plan::batch), ">"});
    if constexpr (To::plan::most_steps > 0)
      if (from.counts_.most() > To::plan::most_steps)
        tenon::detail::throw_input_error({"copy_states: a row has taken ", from.counts_.most(),
                                          " steps, and the other stream has a bound of ",
                                          int(To::plan::most_steps)});
    from.fetch_states(from.position().is_odd());
    copy_states(from.shown_.memory(), From::states().begin(), from.position().is_odd(), rows,
                to.shown_.memory(), To::states().begin(), to.position().is_odd(), To::states().size,
                To::plan::batch);
    to.send_states(to.position().is_odd());
    if constexpr (To::plan::has_counted_steps) {
      from.fetch_histories();
      to.counts_.copy(from.counts_, rows);
      copy_histories(
          from.shown_.memory(), From::histories().begin(), From::plan::batch, rows,
          [&](int row) { return from.counts_.of_row(row); }, to.shown_.memory(), To::histories().begin(),
          To::plan::batch, To::histories().size);
      to.send_histories();
    }
    to.position().copied(from.position(), is_counted ? rows : 0);
    to.ran_on_these_ = to.ran_on_these_ && to.rows() == rows;
  }

 private:
  template <class S, class F>
  static void each_that_stays(S& s, F f) {
    constexpr const auto& net = S::plan::net;
    const auto look = [&]<int E>() {
      if constexpr (!S::plan::is_stepped_edge(E))
        if (s.inputs_.has_number_of_rows(E)) f.template operator()<E>();
    };
    [&]<int... I>(std::integer_sequence<int, I...>) { (look.template operator()<net.inputs[I]>(), ...); }
    (std::make_integer_sequence<int, net.inputs.size>{});
  }
  template <class S, class F>
  static void each_that_changes(S& s, F f) {
    each_that_stays(s, f);
    s.begins_ = true;
    s.ran_on_these_ = false;
  }
};

}  // namespace engine

// The state of this name that the next step reads: that after the last step, or the one that was set. Throws
// input_error at the beginning of a sequence. The view shows it until the next step.
template <ir::text Name, engine::Planned Session>
requires(!tenon::detail::Refused<engine::unfit_getting<Session, Name>>) auto get_state(const Session& live) {
  using plan = typename Session::plan;
  if constexpr (engine::state_of<plan, Name>.first < 0) return view<const typename plan::scalar>{};
  else return engine::state_access::get<Name>(live);
}
template <ir::text Name, engine::Planned Session>
requires tenon::detail::Refused<engine::unfit_getting<Session, Name>>  //
    tenon::detail::refused<tenon::detail::why<engine::unfit_getting<Session, Name>>> get_state(
        const Session&);

// Sets the state of this name, which the next step reads: a tensor expression in the state's shape, a flat range of
// rows x size numbers, or zeros. Before the first step it replaces the initial state. If something is wrong, throws
// input_error and changes nothing.
template <ir::text Name, engine::Planned Session, class X>
requires(!tenon::detail::Refused<engine::unfit_setting_state<Session, Name, X>>)  //
    void set_state(Session& live, const X& x) {
  using plan = typename Session::plan;
  if constexpr (engine::state_of<plan, Name>.first >= 0) {
    if constexpr (std::same_as<X, zeros>) engine::state_access::clear<Name>(live);
    else engine::state_access::set<Name>(live, x);
  }
}
template <ir::text Name, engine::Planned Session, class X>
requires tenon::detail::Refused<engine::unfit_setting_state<Session, Name, X>>  //
    tenon::detail::refused<tenon::detail::why<engine::unfit_setting_state<Session, Name, X>>> set_state(
        Session&, const X&);
template <ir::text Name, class Session>
TENON_CALL(TENON_BRACES_OF_VALUES, void)
set_state(const volatile Session&, tenon::detail::in_braces, ...) TENON_SAID(TENON_BRACES_OF_VALUES);

// Copies all states of one stream to another stream of the graph, whose batch size may differ: it continues where the
// first stream is. Inputs given by set_input are not copied. If the rows do not fit, throws input_error and changes
// nothing. Zeros that were set before the first step have no number of rows and fit any batch.
template <class G, class... Options, class... Others>
void copy_states(const streaming<G, Options...>& from, streaming<G, Others...>& to) {
  engine::state_access::copy(from, to);
}
template <class From, class To, class... Options, class... Others>
requires(!std::same_as<From, To>)  //
    tenon::detail::refused<tenon::detail::why<engine::states_of_another<From, To>>> copy_states(
        const streaming<From, Options...>&, streaming<To, Others...>&);

}  // namespace tenon::inline v0_1
