// Outputs as structs: each member is the output of its name, in one row. Dots of an output's name are underscores in the member's.
//   struct answer { std::array<float, 3> scores; float certainty; };
//   answer a = get<answer>(model);                              of a run of one row; get<answer>(model, 2): of row 2
//   std::vector<answer> all = predict<answer>(model, data);
// A member is a number, a std::array of all numbers of a row, a std::vector of them, or for a sequence a vector of arrays, one
// for each of its steps. Members that are text stay as the struct has them.
#pragma once

#include "tenon/data/predict.hpp"
#include "tenon/data/struct_rows.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon::inline v0_1 {

namespace engine {

// The output of a member's name; -1 if there is none.
template <class Plan>
constexpr int output_of_member(characters member) {
  for (int o = 0; o < Plan::net.output_names.size; ++o) {
    const name& output = Plan::net.output_names[o];
    bool is_same = output.view().size() == member.size();
    for (std::size_t k = 0; is_same && k < member.size(); ++k)
      is_same = member[k] == output.view()[k] || (member[k] == '_' && output.view()[k] == '.');
    if (is_same) return o;
  }
  return -1;
}
template <class Plan, class Answer, int K>
inline constexpr int output_for = output_of_member<Plan>(struct_members<Answer>::template name<K>.view());
// The numbers of output E in a row; -1 for a sequence, whose rows differ.
template <class Plan, int E>
constexpr int numbers_of_row() {
  constexpr edge e = Plan::net.edges[E];
  if (e.is_grid()) return e.size * e.grid.places();
  return Plan::is_whole_edge(E) ? -1 : e.size * e.layers;
}
template <class Member>
inline constexpr bool is_vector = false;
template <class Element>
inline constexpr bool is_vector<std::vector<Element>> = true;

// Can a member hold a row of output E?
template <class Plan, int E, class Member>
constexpr bool holds_row() {
  constexpr int numbers = numbers_of_row<Plan, E>();
  if constexpr (std::is_floating_point_v<Member>) {
    return numbers == 1;
  } else if constexpr (static_size<Member> >= 0) {
    return numbers == static_size<Member> && std::is_floating_point_v<tenon::detail::element_of<Member>>;
  } else if constexpr (is_vector<Member>) {
    using element = typename Member::value_type;
    if constexpr (static_size<element> >= 0)
      return numbers < 0 && static_size<element> == Plan::net.edges[E].size &&
             std::is_floating_point_v<tenon::detail::element_of<element>>;
    else return std::is_floating_point_v<element>;
  } else {
    return false;
  }
}
// What is wrong with the members of Answer as outputs of a session.
template <class Session, class Answer>
struct unfit_answer : tenon::detail::unfit_struct<Answer> {};
template <class Session, AdaptedStruct Answer>
struct unfit_answer<Session, Answer> {
  using members = struct_members<Answer>;
  template <int K>
  static constexpr problem of_member() {
    using plan = typename Session::plan;
    constexpr int o = output_for<plan, Answer, K>;
    if constexpr (tenon::detail::is_text_member<Answer, K>) {
      return {};
    } else if constexpr (o < 0) {
      return unfit_name_of_output<plan, members::template name<K>>::wrong;
    } else {
      constexpr int e = plan::net.outputs[o], numbers = numbers_of_row<plan, e>();
      using member = typename members::template type<K>;
      if (holds_row<plan, e, member>()) return {};
      sentence rule = sentence("a row of output '").append(plan::net.output_names[o].view()).append("' is ");
      if (numbers < 0)
        rule.append("std::vector<std::array<float, ").append(plan::net.edges[e].size).append(">>");
      else if (numbers == 1) rule.append("a float");
      else rule.append("std::array<float, ").append(numbers).append(">");
      return {.rule = rule.append(", got ").append(type_name<member>().view()), .fix = "mend the member"};
    }
  }
  static constexpr problem find() {
    if constexpr (!Planned<Session>) return unfit_session<Session, "get<answer>(session)">::wrong;
    else if constexpr (IsCut<const Session>) return belongs_to_a_shard<Session, "outputs">::wrong;
    else if constexpr (!is_laid_out<typename Session::plan>) return {};
    else return tenon::detail::first_problem_of_members<Answer, unfit_answer>();
  }
  static constexpr problem wrong = find();
};

// --- reading -------------------------------------------------------------------------------------------------
// Copies the numbers of a row, in C order.
template <class Row, class Member>
void read_row(const Row& row, Member& member) {
  auto at = row.begin();
  const auto read = [&at](auto& number) {
    number = static_cast<std::remove_cvref_t<decltype(number)>>(*at);
    ++at;
  };
  if constexpr (std::is_floating_point_v<Member>) {
    read(member);
  } else if constexpr (std::is_floating_point_v<tenon::detail::element_of<Member>>) {
    if constexpr (is_vector<Member>) member.resize(row.size());
    for (auto& number : member) read(number);
  } else {  // steps of a sequence
    member.resize(row.size() / std::size(typename Member::value_type{}));
    for (auto& step : member)
      for (auto& number : step) read(number);
  }
}
template <class Answer, class Session>
Answer read_answer(const Session& session, int row) {
  using plan = typename Session::plan;
  Answer answer{};
  repeat<struct_members<Answer>::count>([&](auto k) {
    constexpr int o = output_for<plan, Answer, k>;
    if constexpr (o >= 0 && !tenon::detail::is_text_member<Answer, k>) {
      constexpr int e = plan::net.outputs[o];
      read_row(row_of<e>(session, access::output<e>(session, layout::batch_first), row),
               struct_members<Answer>::template of<k>(answer));
    }
  });
  return answer;
}

// --- the calls -----------------------------------------------------------------------------------------------
// Any output of the session: predict<"name">(session, data) has the other errors of predict<answer>(session, data).
template <class Session>
constexpr auto some_output() {
  if constexpr (requires { requires is_laid_out<typename Session::plan>; }) {
    constexpr name first = Session::plan::net.output_names[0];
    return exact_text<first.size>(first);
  } else {
    return text<1>{};
  }
}
template <class Given, class Answer, class... More>
struct unfit_answers {
  static constexpr problem wrong{.rule = "predict of a struct takes an inference, maybe parameters, and data",
                                 .fix = "write predict<answer>(model, data)"};
};
template <class Given, class Answer, class Theta, class Data>
requires(std::same_as<Theta, void> || IsBlock<Theta>)  //
    struct unfit_answers<Given, Answer, Theta, Data> {
  static constexpr problem wrong = [] {
    using session = std::remove_cvref_t<Given>;
    if constexpr (run_by<session>::is_inference)
      if (const problem p = unfit_answer<session, Answer>::wrong) return p;
    return unfit_predicting<Given, Theta, Data, all_numbers, some_output<session>()>::wrong;
  }();
};
template <class Given, class Answer, class Data>
struct unfit_answers<Given, Answer, Data> : unfit_answers<Given, Answer, void, Data> {};

template <class Answer, class Session, class Data, class... Theta>
std::vector<Answer> answers(Session& session, const Data& data, const Theta&... theta) {
  std::vector<Answer> all;
  if constexpr (is_laid_out<typename Session::plan>) {
    check_all<Session>(data);
    all.reserve(static_cast<std::size_t>(data.size()));
    for_each_batch_of(data, session, [&] {
      session.run(theta...);
      for (int row = 0; row < session.rows(); ++row) all.push_back(read_answer<Answer>(session, row));
    });
  }
  return all;
}
template <class Session, class Answer, class... Given>
using refused_answers = tenon::detail::refused<tenon::detail::why<unfit_answers<Session, Answer, Given...>>>;

}  // namespace engine

// The outputs of a row of the last run. Throws input_error if there is no such row, or if none is named and there are several.
template <ir::AdaptedStruct Answer, engine::Planned Session>
requires(!tenon::detail::Refused<engine::unfit_answer<Session, Answer>>)  //
    Answer get(const Session& session, std::optional<int> row = std::nullopt) {
  if (!row && session.rows() != 1)
    detail::throw_input_error({"get of a struct: the last run had ", session.rows(),
                               " rows; write get<answer>(session, row), or predict<answer>(session, data)"});
  return engine::read_answer<Answer>(session, detail::position(row.value_or(0), session.rows(), "a run"));
}
template <ir::AdaptedStruct Answer, engine::Planned Session>
requires tenon::detail::Refused<engine::unfit_answer<Session, Answer>>  //
    detail::refused<detail::why<engine::unfit_answer<Session, Answer>>> get(
        const Session&, std::optional<int> = std::nullopt);

// The outputs for each row of a data set, in the order of the rows, as predict<"name">(session, data) has one of them.
template <ir::AdaptedStruct Answer, class Session, class Data>
requires(!detail::Refused<engine::unfit_answers<Session, Answer, Data>>)  //
    std::vector<Answer> predict(Session&& session, const Data& data) {
  return engine::answers<Answer>(session, data);
}
// With parameters that the call has, as in run(theta).
template <ir::AdaptedStruct Answer, class Session, engine::IsBlock Theta, class Data>
requires(!detail::Refused<engine::unfit_answers<Session, Answer, Theta, Data>>)  //
    std::vector<Answer> predict(Session&& session, const Theta& theta, const Data& data) {
  return engine::answers<Answer>(session, data, theta);
}
template <class Answer, class Session, class... Given>
requires(
    (ir::AdaptedStruct<Answer> ||
     detail::UnknownStruct<Answer>)&&detail::Refused<engine::unfit_answers<Session, Answer, Given...>>)  //
    engine::refused_answers<Session, Answer, Given...> predict(Session&&, const Given&...);

}  // namespace tenon::inline v0_1
