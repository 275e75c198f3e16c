// name_errors: errors for names of inputs and outputs that a graph does not have, reported by the session.
#pragma once

#include "tenon/diagnostics/problem.hpp"
#include "tenon/engine/inputs/plan_names.hpp"

namespace tenon::inline v0_1::engine {

// Is nothing wrong with the call, or has an error of the graph been reported already?
template <class Plan, class Unfit>
concept Fitting = !is_laid_out<Plan> || !Unfit::wrong;

// "its inputs are 'tokens', 'index'", shortened if there is no room.
template <class Plan, bool OneStep = false>
constexpr sentence list_inputs() {
  const auto& net = Plan::net;
  sentence all = OneStep ? "its inputs with steps are" : "its inputs are";
  int k = 0;
  for (int e : given_inputs<Plan, OneStep>) {
    const name& path = net.edges[e].path;
    if (all.size + path.size + 8 > sentence::capacity) return all.append(" ..");
    all.append(k++ > 0 ? ", '" : " '").append(path.view()).append("'");
  }
  return k > 0     ? all
         : OneStep ? sentence("no input has steps: set_input sets the others")
                   : sentence("it has no inputs");
}
// The same for its outputs.
template <class Plan>
constexpr sentence list_outputs() {
  sentence all = "its outputs are";
  int k = 0;
  for (const name& output : Plan::net.output_names) {
    if (all.size + output.size + 8 > sentence::capacity) return all.append(" ..");
    all.append(k++ > 0 ? ", '" : " '").append(output.view()).append("'");
  }
  return all;
}
// A name that is no text in the source: set_input<3>(..), or a variable, whose text may be known only when the program runs.
constexpr problem unfit_name(characters got, const sentence& known) {
  return {
      .rule = sentence("a name is a text in double quotes, got ").append(got),
      .fix = sentence(got == ir::detail::a_variable ? "choose with if and else: " : "").append(known.view())};
}
template <class Plan, text Name>
struct unfit_name_of_input {
  static constexpr problem wrong = [] {
    if (ir::detail::is_no_name(Name.view())) return unfit_name(Name.view(), list_inputs<Plan>());
    nearest known{Name};
    for (int e : Plan::net.inputs) known.consider(Plan::net.edges[e].path);
    return problem{.rule = sentence("the graph has no input '").append(Name.view()).append("'"),
                   .fix = known.suggestion(list_inputs<Plan>())};
  }();
};
template <class Plan, text Name>
struct unfit_name_of_output {
  static constexpr problem wrong = [] {
    if (ir::detail::is_no_name(Name.view())) return unfit_name(Name.view(), list_outputs<Plan>());
    nearest known{Name};
    for (const name& n : Plan::net.output_names) known.consider(n);
    for (const node_record& n : Plan::net.nodes)
      if (n.path == name(Name))
        return problem{
            .rule = sentence("'").append(Name.view()).append("' is a node of the graph, not an output"),
            .fix = sentence("add output<\"").append(Name.view()).append("\"> to the graph")};
    if (input_edge<Plan>(Name) >= 0)
      return problem{
          .rule = sentence("'").append(Name.view()).append("' is an input of the graph, not an output"),
          .fix = sentence("write get_input<\"").append(Name.view()).append("\">(session)")};
    return problem{.rule = sentence("the graph has no output '").append(Name.view()).append("'"),
                   .fix = known.suggestion(list_outputs<Plan>())};
  }();
};

// Excludes std::get<0>(tuple), which is not a function of this library.
template <text Name>
concept IsName = !ir::detail::is_no_name(Name.view());
// Where a type has an error, g++ goes on with an int.
template <class Given, text Call>
struct unfit_session {
  static constexpr bool is_int = std::same_as<std::remove_const_t<Given>, int>;
  static constexpr problem wrong{
      .rule = is_int ? "the first argument is an int, not a session" : "the first argument is not a session",
      .fix = sentence(is_int ? "if it is to be one, mend the first error above; write " : "write ")
                 .append(Call.view())};
};
template <class>
struct const_session {
  static constexpr problem wrong{.rule = "the session is const, and the call changes it",
                                 .fix = "pass one that is not const"};
};
template <class>
struct type_as_name {
  static constexpr problem wrong{.rule = "the name of an output must be a text, got a type",
                                 .fix = "write get<\"name\">(session)"};
};
template <text What, text Name>
struct view_of_temporary {
  static constexpr problem wrong{.rule = sentence(What.view())
                                             .append(" '")
                                             .append(Name.view())
                                             .append("' is a view into a session that ends with this line"),
                                 .fix = "give the session a name: inference<graph> model;"};
};

}  // namespace tenon::inline v0_1::engine
