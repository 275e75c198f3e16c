// predict: a network's outputs for each row of a data set.
//   std::vector<int> kinds = predict<"logits">(model, data, [](const auto& scores) { return argmax(scores); });
//   std::vector<std::vector<float>> all = predict<"logits">(model, data);
#pragma once

// Included first, because compilers print each file on the include path to where errors are reported.
#include "tenon/diagnostics/diagnose.hpp"
#include "tenon/diagnostics/wrong_call.hpp"

#include "tenon/engine/rows/row_data.hpp"
#include "tenon/engine/session/inference.hpp"

#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon::inline v0_1 {

namespace engine {

// --- a row of an output ------------------------------------------------------------------------------------
// [D]; of a sequence [steps, D], its own steps; of a grid [height, width, D]; of the states of several layers [layers, D].
template <class Plan, int E>
struct row_shape {
  using type = view<const typename Plan::scalar, shown_rank<Plan, E> - 1>;
};
template <class Plan, int E>
requires(E < 0) struct row_shape<Plan, E> {  // for an output that the graph does not have
  using type = view<const typename Plan::scalar>;
};
template <class Plan, int E>
using row_view = typename row_shape<Plan, E>::type;

template <int E, class Session>
row_view<typename Session::plan, E> row_of(const Session& session,
                                           const shown_view<typename Session::plan, E>& y, int row) {
  using plan = typename Session::plan;
  constexpr const auto& edge = plan::net.edges[E];
  if constexpr (edge.is_grid()) return y[row];
  else if constexpr (plan::is_whole_edge(E))
    return {y[row].data_handle(), {access::length<E>(session, row), edge.size}, {y.stride(1), y.stride(2)}};
  else if constexpr (edge.layers > 1)
    return {y.data_handle() + row * y.stride(1), {edge.layers, edge.size}, {y.stride(0), y.stride(2)}};
  else return y[row];
}
// Used if no function is given: copies the numbers of a row, in C order.
struct all_numbers {
  template <class Row>
  auto operator()(const Row& row) const {
    return std::vector<std::remove_const_t<typename Row::value_type>>(row.begin(), row.end());
  }
};

// --- what can be wrong with a call -------------------------------------------------------------------------
template <class>
struct run_by {
  static constexpr bool is_inference = false;
};
template <class G, class... Options>
struct run_by<inference<G, Options...>> {
  static constexpr bool is_inference = true;
  template <class Theta>
  static constexpr problem unfit_parameters() {
    using session = inference<G, Options...>;
    if constexpr (std::same_as<Theta, void> || std::same_as<Theta, parameters<G, typename session::T>>)
      return {};
    else return unfit_bound_parameters<G, typename session::T, Theta>::wrong;
  }
};
template <class T>
inline constexpr bool is_view = false;
template <class T, int Rank>
inline constexpr bool is_view<view<T, Rank>> = true;

struct not_called {};
template <class F, class... Rows>
struct made_of_rows {
  using type = not_called;
};
template <class F, class... Rows>
requires std::invocable<F&, Rows...>
struct made_of_rows<F, Rows...> {
  using type = std::remove_cvref_t<std::invoke_result_t<F&, Rows...>>;
};
template <class Session, class F, text... Names>
using prediction = typename made_of_rows<
    F, row_view<typename Session::plan, output_edge<typename Session::plan>(Names)>...>::type;

// "[](const auto& logits, const auto& states_final) { return ..; }"
template <text... Names>
constexpr sentence written_function() {
  sentence all = "[](";
  const auto add = [&](characters name) {
    all.append(all.size > 3 ? ", const auto& " : "const auto& ");
    for (const char c : name) all.append(c == '.' ? characters("_") : characters(&c, 1));
  };
  (add(Names.view()), ...);
  return all.append(") { return ..; }");
}
// For a session that is an inference.
template <class Session, class Theta, class Data, class F, text First, text... More>
constexpr problem unfit_predicted_rows() {
  using plan = typename Session::plan;
  constexpr problem unfit_parameters = run_by<Session>::template unfit_parameters<Theta>();
  constexpr problem unknown = [] {
    problem p{};
    if constexpr (output_edge<plan>(First) < 0) p = unfit_name_of_output<plan, First>::wrong;
    ((p = p || output_edge<plan>(More) >= 0 ? p : unfit_name_of_output<plan, More>::wrong), ...);
    return p;
  }();
  using made = prediction<Session, F, First, More...>;
  if constexpr (!is_laid_out<plan>) {
    return {};
  } else if constexpr (unknown) {
    return unknown;
  } else if constexpr (unfit_parameters) {
    return unfit_parameters;
  } else if constexpr (!RowsFor<Data, Session>) {
    return {.rule = sentence("'").append(type_name<Data>().view()).append("' is not a data set"),
            .fix = "write data_set(column<\"x\">(..)), or a type with size() and set_inputs(session, rows)"};
  } else if constexpr (unfit_part<Data, Session>::wrong) {
    return unfit_part<Data, Session>::wrong;
  } else if constexpr (std::same_as<F, all_numbers>) {
    if constexpr (sizeof...(More) == 0) return {};
    else
      return {.rule = "predict of several outputs takes a function of a row of each",
              .fix = sentence("write ").append(written_function<First, More...>())};
  } else if constexpr (std::same_as<made, not_called>) {
    return {.rule = "the argument after the data cannot be called with a view of a row of each output",
            .fix = sentence("write ").append(written_function<First, More...>())};
  } else if constexpr (std::same_as<made, void>) {
    return {.rule = "the function of a row returns nothing", .fix = "return what is to be kept of each row"};
  } else if constexpr (is_view<made>) {
    return {.rule = "the function of a row returns a view, whose numbers the next batch replaces",
            .fix = "return std::vector(row.begin(), row.end())"};
  } else {
    return {};
  }
}
template <class Given, class Theta, class Data, class F, text... Names>
struct unfit_predicting {
  static constexpr problem wrong = [] {
    using session = std::remove_reference_t<Given>;
    using run = std::remove_const_t<session>;
    constexpr bool writes = !Planned<run> || requires { requires run::plan::streaming; };
    if constexpr (!run_by<run>::is_inference)
      return problem{
          .rule = "predict of an output takes an inference, which runs a graph forward",
          .fix = sentence("write inference<graph, batch<32>> model(theta); ")
                     .append(writes ? "what a stream writes is predict(write, data), of write = "
                                      "greedy<\"input\">(stream, ..)"
                                    : "for the loss and metrics of a trainer, evaluate(trainer, data)")};
    else if constexpr (std::is_const_v<session>) return const_session<session>::wrong;
    else return unfit_predicted_rows<session, Theta, Data, F, Names...>();
  }();
};

template <class Given, class Theta, class Data, class F, text... Names>
using refused_prediction =
    tenon::detail::refused<tenon::detail::why<unfit_predicting<Given, Theta, Data, F, Names...>>>;

// --- the call ----------------------------------------------------------------------------------------------
template <text... Names, class Session, class Data, class F, class... Theta>
std::vector<prediction<Session, F, Names...>> predictions(Session& session, const Data& data, F& f,
                                                          const Theta&... theta) {
  using plan = typename Session::plan;
  std::vector<prediction<Session, F, Names...>> all;
  if constexpr (is_laid_out<plan>) {
    check_all<Session>(data);
    all.reserve(static_cast<std::size_t>(data.size()));
    for_each_batch_of(data, session, [&] {
      session.run(theta...);
      [&](const auto&... outputs) {
        for (int r = 0; r < session.rows(); ++r)
          all.push_back(f(row_of<output_edge<plan>(Names)>(session, outputs, r)...));
      }(get<Names>(session)...);
    });
  }
  return all;
}

}  // namespace engine

// The results of f for each row of a data set, in the order of the rows. f is called with a view of the row of each
// named output: [D]; for a sequence [steps, D] without padding; for a grid [height, width, D]; for the states of
// several layers [layers, D]. Without f the result is the numbers of the row of one output, in C order. The session is
// an inference; it runs on batches of its size, and only its inputs need columns. Throws input_error as run and
// set_input do; a row that cannot be set is found before the first run.
template <ir::text Name, ir::text... More, class Session, class Data, class F = engine::all_numbers>
requires(!engine::IsBlock<Data> &&
         !tenon::detail::Refused<engine::unfit_predicting<Session, void, Data, F, Name, More...>>)  //
    auto predict(Session&& session, const Data& data, F f = {}) {
  return engine::predictions<Name, More...>(session, data, f);
}
template <ir::text Name, ir::text... More, class Session, class Data, class F = engine::all_numbers>
requires(engine::IsName<Name> && !engine::IsBlock<Data> &&
         tenon::detail::Refused<engine::unfit_predicting<Session, void, Data, F, Name, More...>>)  //
    engine::refused_prediction<Session, void, Data, F, Name, More...> predict(
        Session&&, const Data&,
        F = {} TENON_SAYS_WHY(engine::unfit_predicting<Session, void, Data, F, Name, More...>));
// With parameters that are given in the call, as in run(theta).
template <ir::text Name, ir::text... More, class Session, engine::IsBlock Theta, class Data,
          class F = engine::all_numbers>
requires(!tenon::detail::Refused<engine::unfit_predicting<Session, Theta, Data, F, Name, More...>>)  //
    auto predict(Session&& session, const Theta& theta, const Data& data, F f = {}) {
  return engine::predictions<Name, More...>(session, data, f, theta);
}
template <ir::text Name, ir::text... More, class Session, engine::IsBlock Theta, class Data,
          class F = engine::all_numbers>
requires(engine::IsName<Name>&&
             tenon::detail::Refused<engine::unfit_predicting<Session, Theta, Data, F, Name, More...>>)  //
    engine::refused_prediction<Session, Theta, Data, F, Name, More...> predict(
        Session&&, const Theta&, const Data&,
        F = {} TENON_SAYS_WHY(engine::unfit_predicting<Session, Theta, Data, F, Name, More...>));
#define TENON_SENTENCE                                                                                    \
  "predict takes an inference, maybe parameters, data, and maybe a function of a row of each output, as " \
  "in predict<\"logits\">(model, data, [](const auto& scores) { return argmax(scores); })"
template <ir::text Name, ir::text... More TENON_AND_SAYS(TENON_SENTENCE)>
requires engine::IsName<Name>
void predict(...) TENON_REFUSED(TENON_SENTENCE);
// A pointer comes first, so that a name that the call writes is not taken for the sentence.
template <std::nullptr_t = nullptr, TENON_SAYS_AND(TENON_SENTENCE) engine::Planned Session>
void predict(const volatile Session&, ...) TENON_REFUSED(TENON_SENTENCE);
template <std::nullptr_t = nullptr, TENON_SAYS_AND(TENON_SENTENCE) engine::Planned Session>
void predict(std::string_view, const volatile Session&, ...) TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE
#define TENON_SENTENCE                                                                                      \
  "predict of a stream takes what writes with it: write predict(write, data), of write = greedy<\"input\">" \
  "(stream, ..)"
template <std::nullptr_t = nullptr, TENON_SAYS_AND(TENON_SENTENCE) engine::Planned Session>
requires(Session::plan::streaming) void predict(const volatile Session&, ...) TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

}  // namespace tenon::inline v0_1
