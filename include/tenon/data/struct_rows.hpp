// Rows that are structs: the members are the columns of a data set, or the inputs of a session, by their names.
//   data_set flowers = columns_of(rows);        rows: a range of structs
//   model(question), live.step(question)        a struct, or a range of them: a batch
//   set_inputs(trainer, rows)
// A member's value is what a column has for a row. Members that are text are ignored: no network reads them. Other members must
// be inputs of a trainer; a session that only runs forward ignores those that it has no input for, such as the target.
#pragma once

#include "tenon/data/data_set.hpp"
#include "tenon/engine/inputs/members_as_inputs.hpp"
#include "tenon/meta/repeat.hpp"
#include "tenon/meta/struct_members.hpp"

#include <array>
#include <cstddef>
#include <iterator>
#include <memory>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon::inline v0_1 {

namespace detail {

// --- the values of a member ----------------------------------------------------------------------------------
// A number for an enumerator, a view of a range in memory, all else as it is.
template <class Member>
constexpr decltype(auto) row_value(const Member& value) {
  if constexpr (std::is_enum_v<Member>) return static_cast<std::underlying_type_t<Member>>(value);
  else if constexpr (RowInMemory<Member> && engine::static_size<Member> >= 0)
    return std::span<const element_of<Member>, engine::static_size<Member>>(value);
  else if constexpr (RowInMemory<Member>) return std::span<const element_of<Member>>(value);
  else return (value);
}
template <class S, int K>
using row_value_of =
    stored_row<decltype(row_value(ir::struct_members<S>::template of<K>(std::declval<const S&>())))>;

// Member K of each struct of a range.
template <class S, int K>
struct member_values {
  struct place {
    using value_type = row_value_of<S, K>;
    const S* at;
    decltype(auto) operator*() const { return row_value(ir::struct_members<S>::template of<K>(*at)); }
    place operator+(std::ptrdiff_t count) const { return {at + count}; }
    bool operator==(const place&) const = default;
  };
  std::span<const S> rows;
  std::shared_ptr<const void> owner = nullptr;  // of the rows, if they were copied or moved
  std::size_t size() const { return rows.size(); }
  place begin() const { return {rows.data()}; }
  place end() const { return {rows.data() + rows.size()}; }
};
template <class S, int K>
struct member_column
    : named_column<ir::struct_members<S>::template name<K>, range_column<member_values<S, K>>> {
  using struct_type = S;
};
template <class S, int K>
member_column<S, K> column_of_member(std::span<const S> rows,
                                     const std::shared_ptr<const void>& owner = nullptr) {
  return {{{{rows, owner}}}};
}

template <class S, int K>
inline constexpr bool is_text_member = OneText<typename ir::struct_members<S>::template type<K>>;
// The members that are no texts.
template <class S>
inline constexpr auto value_members = []<int... K>(std::integer_sequence<int, K...>) {
  ir::list<int, sizeof...(K)> all;
  const bool is_text[]{is_text_member<S, K>...};
  for (int k = 0; k < all.capacity; ++k)
    if (!is_text[k]) all.add(k);
  return all;
}
(std::make_integer_sequence<int, ir::struct_members<S>::count>{});

// The structs in an argument: S, or a range of S in memory.
template <class Given>
struct structs_in {};
template <ir::AdaptedStruct S>
struct structs_in<S> {
  using type = S;
  static constexpr bool is_range = false;
  static std::span<const S> rows(const S& one) { return {&one, 1}; }
};
template <SizedRange Range>
requires ir::AdaptedStruct<element_of<Range>> && requires(const Range& range) { std::data(range); }
struct structs_in<Range> {
  using type = element_of<Range>;
  static constexpr bool is_range = true;
  static std::span<const type> rows(const Range& range) { return {std::data(range), std::size(range)}; }
};
template <class Range>
inline constexpr bool is_span = false;
template <class S, std::size_t N>
inline constexpr bool is_span<std::span<S, N>> = true;
template <class Given>
concept GivesStructs = requires {
  typename structs_in<Given>::type;
};
// A struct, or a range of them, whose members have no names.
template <class S>
concept UnknownStruct = std::is_class_v<S> && std::is_aggregate_v<S> && !SizedRange<S> &&
                        !concepts::TensorExpression<S> && !ir::AdaptedStruct<S>;
template <class Given>
concept GivesUnknownStructs = UnknownStruct<Given> ||(SizedRange<Given>&& UnknownStruct<element_of<Given>>);

// --- mistakes -------------------------------------------------------------------------------------------------
template <class Given>
struct unfit_structs {
  static constexpr ir::problem wrong{
      .rule = ir::sentence("'").append(ir::type_name<Given>().view()).append("' is no range of structs"),
      .fix = "give a vector of structs, or data_set(column<\"name\">(values), ..)"};
};
template <class S>
struct unfit_struct {
  static constexpr ir::problem wrong{
      .rule =
          ir::sentence("the members of '").append(ir::type_name<S>().view()).append("' have no names here"),
      .fix = ir::sentence("write BOOST_HANA_ADAPT_STRUCT(")
                 .append(ir::type_name<S>().view())
                 .append(", its members); after it, in no namespace")};
};
template <UnknownStruct S>
struct unfit_structs<S> : unfit_struct<S> {};
template <SizedRange Range>
requires UnknownStruct<element_of<Range>>
struct unfit_structs<Range> : unfit_struct<element_of<Range>> {
};

// The first problem that Check::of_member<K>() returns for a member K of S, with the names of both.
template <class S, class Check>
constexpr ir::problem first_problem_of_members() {
  ir::problem first{};
  const auto look = [&](const ir::name& member, const ir::problem& p) {
    if (first || !p) return;
    first = p;
    first.rule = ir::sentence("member '").append(member.view()).append("' of '");
    first.rule.append(ir::type_name<S>().view()).append("': ").append(p.rule);
  };
  [&]<int... K>(std::integer_sequence<int, K...>) {
    (look(ir::struct_members<S>::names[K], Check::template of_member<K>()), ...);
  }
  (std::make_integer_sequence<int, ir::struct_members<S>::count>{});
  return first;
}
// What is wrong with the members of S as inputs, or with OneStep as one step of each input with steps. With OnlyInputs
// every member but texts must be an input.
template <class Plan, class S, bool OneStep, bool OnlyInputs>
struct unfit_members {
  using members = ir::struct_members<S>;
  static constexpr bool is_asked(int e) {
    return OneStep ? Plan::is_stepped_edge(e) : !(Plan::streaming && Plan::is_stepped_edge(e));
  }
  template <int K>
  static constexpr ir::problem of_member() {
    constexpr ir::text name = members::template name<K>;
    constexpr int e = engine::input_edge<Plan>(name);
    using row = row_value_of<S, K>;
    if constexpr (e < 0) {
      if (!OnlyInputs || is_text_member<S, K>) return {};
      ir::nearest known{name};
      for (int input : Plan::net.inputs) known.consider(Plan::net.edges[input].path);
      return {.rule = ir::sentence("the graph has no input '").append(name.view()).append("'"),
              .fix = known.suggestion(engine::list_inputs<Plan>().append(
                  "; or leave the member out of BOOST_HANA_ADAPT_STRUCT"))};
    } else if constexpr (!OneStep) {
      return unfit_rows<Plan, e, row>();
    } else {
      constexpr engine::expected_value step{Plan::net.edges[e], true};
      if (!is_asked(e))
        return step.wrong(
            " has no steps",
            ir::sentence("set it before: set_input<\"").append(name.view()).append("\">(live, value)"));
      if (Number<row> && !step.input.is_token() && step.input.size != 1) return step.unfit_width(1);
      return engine::unfit_value_of<Plan, std::vector<row>>(step);
    }
  }
  static constexpr ir::problem find() {
    ir::problem p{};
    if constexpr (engine::is_laid_out<Plan>) {
      p = first_problem_of_members<S, unfit_members>();
      for (int e : Plan::net.inputs) {
        const ir::name& input = Plan::net.edges[e].path;
        if (p || !is_asked(e) || members::names.find(input) >= 0) continue;
        ir::nearest known{input};
        ir::sentence all = "its members are";
        for (const ir::name& member : members::names) {
          known.consider(member);
          all.append(all.view().ends_with('e') ? " '" : ", '").append(member.view()).append("'");
        }
        p.rule = ir::sentence("input '").append(input.view()).append("' is no member of '");
        p.rule.append(ir::type_name<S>().view()).append("'");
        p.fix = all;
        if (!known.word().empty())
          p.fix = ir::sentence("is '").append(known.word().view()).append("' misspelt?");
      }
    }
    return p;
  }
  static constexpr ir::problem wrong = find();
};
template <class Session, class... Columns>
requires(sizeof...(Columns) > 0 && (... && requires { typename Columns::struct_type; }))  //
    struct unfit_columns<Session, Columns...>
    : unfit_members<typename Session::plan,
                    typename std::tuple_element_t<0, std::tuple<Columns...>>::struct_type, false,
                    takes_only_inputs<Session>> {
};

// What is wrong with set_inputs(session, structs).
template <class Session, class Given>
struct unfit_inputs {
  static constexpr ir::problem wrong = [] {
    if constexpr (!engine::Planned<Session>)
      return engine::unfit_session<Session, "set_inputs(session, a struct or a range of structs)">::wrong;
    else if constexpr (std::is_const_v<Session>) return engine::const_session<Session>::wrong;
    else if constexpr (!GivesStructs<Given>) return unfit_structs<Given>::wrong;
    else
      return unfit_members<typename Session::plan, typename structs_in<Given>::type, false,
                           takes_only_inputs<Session>>::wrong;
  }();
};

}  // namespace detail

namespace engine {

template <class Plan, given_as What, class Given>
requires tenon::detail::GivesStructs<Given>
struct unfit_values<Plan, What, Given>
    : tenon::detail::unfit_members<Plan, typename tenon::detail::structs_in<Given>::type,
                                   What == given_as::one_step, false> {
};
template <class Plan, class Given>
requires tenon::detail::GivesStructs<Given>
struct unfit_values<Plan, given_as::a_block, Given> {
  static constexpr problem wrong{
      .rule = "run takes a range of steps for each input, and structs are given",
      .fix = "give the steps of each input, live.run(samples), or one struct to step"};
};
template <class Plan, given_as What, tenon::detail::GivesUnknownStructs Given>
struct unfit_values<Plan, What, Given> : tenon::detail::unfit_structs<Given> {};
template <tenon::detail::UnknownStruct Name>
struct type_as_name<Name> : tenon::detail::unfit_struct<Name> {};

template <class Given>
requires tenon::detail::GivesStructs<Given>
struct members_as_inputs<Given> {
  using structs_of = tenon::detail::structs_in<Given>;
  using S = typename structs_of::type;
  using members = struct_members<S>;
  static constexpr bool exist = true;

  template <class Session>
  static void set(Session& session, const Given& structs) {
    using plan = typename Session::plan;
    const std::span<const S> rows = structs_of::rows(structs);
    std::vector<int> all(rows.size());
    std::iota(all.begin(), all.end(), 0);
    repeat<members::count>([&](auto k) {
      if constexpr (input_edge<plan>(members::template name<k>) >= 0)
        tenon::detail::column_of_member<S, k>(rows).set(session, all);
    });
  }
  template <class Plan, class F>
  static void with_steps(const Given& structs, F f) {
    static constexpr auto inputs = given_inputs<Plan, true>;
    [&]<int... I>(std::integer_sequence<int, I...>) {
      f(step_of<members::names.find(Plan::net.edges[inputs[I]].path)>(structs)...);
    }
    (std::make_integer_sequence<int, inputs.size>{});
  }

 private:
  // The values of a member: of one struct without memory from the heap.
  template <int K>
  static auto step_of(const Given& structs) {
    using row = tenon::detail::row_value_of<S, K>;
    if constexpr (structs_of::is_range) {
      const tenon::detail::member_values<S, K> column{structs_of::rows(structs)};
      std::vector<row> all;
      all.reserve(column.size());
      for (std::size_t r = 0; r < column.size(); ++r) all.push_back(*(column.begin() + std::ptrdiff_t(r)));
      return all;
    } else if constexpr (static_size<row> >= 0) {
      return row(tenon::detail::row_value(members::template of<K>(structs)));  // numbers of one row, flat
    } else {
      return std::array<row, 1>{tenon::detail::row_value(members::template of<K>(structs))};
    }
  }
};

}  // namespace engine

// A data set whose columns are the members of these structs. A vector is copied or moved into it; the memory behind a
// std::span is read directly, and must outlive the data set.
template <class Rows>
requires(detail::structs_in<std::remove_cvref_t<Rows>>::is_range)  //
    auto columns_of(Rows&& rows) {
  using range = std::remove_cvref_t<Rows>;
  using S = typename detail::structs_in<range>::type;
  std::span<const S> all = detail::structs_in<range>::rows(rows);
  detail::check_count("rows", all.size());
  std::shared_ptr<const std::vector<S>> owner;
  if constexpr (!detail::is_span<range>) {
    if constexpr (std::is_same_v<Rows, std::vector<S>>)
      owner = std::make_shared<const std::vector<S>>(std::move(rows));
    else owner = std::make_shared<const std::vector<S>>(all.begin(), all.end());
    all = *owner;
  }
  static constexpr auto& of_values = detail::value_members<S>;
  static_assert(of_values.size > 0, "each member of the struct is text, and a network reads numbers");
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return data_set<detail::member_column<S, of_values[I]>...>(
        detail::column_of_member<S, of_values[I]>(all, owner)...);
  }
  (std::make_integer_sequence<int, of_values.size>{});
}
template <class Given>
requires(!requires { requires detail::structs_in<std::remove_cvref_t<Given>>::is_range; })  //
    detail::refused<detail::why<detail::unfit_structs<Given>>> columns_of(const Given&);

// Sets each input of a session or trainer to the member of its name: of one struct, or of a range of them, a batch.
template <class Session, class Given>
requires(!detail::Refused<detail::unfit_inputs<Session, Given>>)  //
    void set_inputs(Session& session, const Given& structs) {
  engine::members_as_inputs<Given>::set(session, structs);
}
template <class Session, class Given>
requires detail::Refused<detail::unfit_inputs<Session, Given>>  //
    detail::refused<detail::why<detail::unfit_inputs<Session, Given>>> set_inputs(Session&, const Given&);

}  // namespace tenon::inline v0_1
