// block_errors: what can be wrong with a block of parameters and with the values that it starts from, found at compile
// time, as problems that `parameters` and sessions report.
#pragma once

#include "tenon/graph/graph.hpp"

#include <concepts>
#include <string_view>

namespace tenon::inline v0_1 {

namespace engine {

template <class T>
struct unfit_scalar {
  static constexpr problem wrong = [] {
    if (std::floating_point<T>) return problem{};
    return problem{
        .rule = sentence("parameters of ").append(type_name<T>().view()).append(" cannot be learned"),
        .fix = "write parameters<graph>, or parameters<graph, double>"};
  }();
};
template <class G, text Name>
struct parameter_of_temporary {
  static constexpr problem wrong{.rule = sentence("parameter '")
                                             .append(Name.view())
                                             .append("' is a view into a block that ends with this line"),
                                 .fix = "give the block a name: parameters<graph> theta;"};
};
template <class Theta, class Wanted>
concept OtherThan = !std::convertible_to<const Theta&, const Wanted&>;
// A name given as an argument of a function, not of its template: Call is the right form.
template <class, text Call>
struct name_as_argument {
  static constexpr problem wrong{.rule = "the name must be in angle brackets",
                                 .fix = sentence("write ").append(Call.view())};
};
// The graph deduced for `parameters theta(model{})`, `inference run(model{})`; it makes an error about such calls.
struct graph_as_value {};
template <class Given>
concept IsBlock = requires {
  typename Given::graph_type;
};
// What has names: a block, or a session.
template <class Given>
concept IsNamed = IsBlock<Given> || requires {
  typename Given::plan;
};
template <class First, class... More>
concept NameAsArgument = IsNamed<First> ||
    (std::convertible_to<const First&, std::string_view> && (... || IsNamed<More>));
template <class First, class... More>
struct name_in_get : name_as_argument<First, "get<\"name\">(session)"> {};
template <class First, class... More>
requires(IsBlock<First> || (... || IsBlock<More>)) struct name_in_get<First, More...>
    : name_as_argument<First, "get<\"node.weight\">(theta)"> {
};
template <class Given, class G>
concept IsBlockOf = IsBlock<Given> && std::same_as<typename Given::graph_type, G>;
// What is wrong with a value from which a block of G in T starts, or that is assigned to one.
template <class G, class T, class Given>
struct unfit_start {
  static constexpr problem wrong = [] {
    if constexpr (std::same_as<G, graph_as_value>) {
      return problem{};  // already reported
    } else if constexpr (IsBlock<Given>) {
      if (!std::same_as<typename Given::graph_type, G>)
        return problem{.rule = "these are the parameters of another graph",
                       .fix = "copy what both have by name: get<\"node.weight\">(theta)"};
      return problem{
          .rule = sentence("the parameters given are ").append(type_name<typename Given::scalar>().view()),
          .fix = sentence("write parameters<graph, ")
                     .append(type_name<T>().view())
                     .append(">, or copy each number of data()")};
    } else {
      return problem{
          .rule = sentence("'").append(type_name<Given>().view()).append("' is not a block of parameters"),
          .fix = "start one with a seed: parameters<graph> theta(seed{1}), or theta.initialize(seed{1})"};
    }
  }();
};

}  // namespace engine

template <class Objective>
struct detail::problem_of<engine::graph_as_value, Objective> {
  static constexpr problem wrong{
      .rule = "a graph is a type and must be in angle brackets",
      .fix = "write parameters<model> theta(seed{1}), inference<model> run(theta)"};
};

}  // namespace tenon::inline v0_1
