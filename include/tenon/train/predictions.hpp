// What a metric of classes looks at: the scores of each row or step that has a target, and that target.
#pragma once

#include "tenon/engine/session/by_name.hpp"

#include <cstddef>

namespace tenon {

namespace detail {
// Of scores [D] the position of the largest, the first of equals.
int position_of_largest(const auto& scores) {
  std::size_t best = 0;
  for (std::size_t j = 1; j < scores.extent(0); ++j)
    if (scores(j) > scores(best)) best = j;
  return static_cast<int>(best);
}
}  // namespace detail

namespace engine {
// An output that the graph has not; the names that metrics have where none is written, "logits" and "y", are no misspelling.
template <class Plan, text Output, text Written>
struct unknown_judged_output {
  static constexpr problem wrong = [] {
    const bool is_written = !(Output.view() == characters("logits")) && !(Output.view() == characters("y"));
    for (const node_record& n : Plan::net.nodes)
      if (is_written || n.path == name(Output)) return unknown_output<Plan, Output>::wrong;
    return problem{.rule = sentence("the graph has no output '").append(Output.view()).append("'"),
                   .fix = sentence("name the output, as in ")
                              .append(Written.view())
                              .append("<\"")
                              .append(Plan::net.output_names[0].view())
                              .append("\">{}")};
  }();
};
// What is wrong with an output for scores, and with an input for the classes that should have had the largest.
template <class Session, text Output, text Target>
struct unfit_prediction {
  using plan = typename Session::plan;
  static constexpr problem wrong = [] {
    constexpr int scored = output_edge<plan>(Output), wanted = input_edge<plan>(Target);
    if constexpr (!is_laid_out<plan>) {
      return problem{};
    } else if constexpr (scored < 0) {
      return unknown_judged_output<plan, Output, "metric::accuracy">::wrong;
    } else if constexpr (wanted < 0) {
      return unknown_input<plan, Target>::wrong;
    } else {
      constexpr const auto &y = plan::net.edges[scored], &target = plan::net.edges[wanted];
      const sentence subject = sentence("a metric of classes: input '").append(Target.view());
      if (!target.is_token())
        return problem{.rule = sentence(subject).append("' holds numbers, no classes"),
                       .fix = "name output and target: metric::accuracy<\"logits\", \"class\">{}"};
      if (target.axis != y.axis || y.layers > 1)
        return problem{
            .rule =
                sentence(subject).append("' has other steps than output '").append(Output.view()).append("'"),
            .fix = "name output and target: metric::accuracy<\"logits\", \"class\">{}"};
      if (target.range > y.size)
        return problem{.rule = sentence(subject)
                                   .append("' has more classes than output '")
                                   .append(Output.view())
                                   .append("'"),
                       .axis = "scores",
                       .expected = target.range,
                       .got = y.size,
                       .fix = "name output and target: metric::accuracy<\"logits\", \"class\">{}"};
      return problem{};
    }
  }();
};

// Calls f(row, scores, target) for each row or step of a run that has a target.
template <text Output, text Target, class Session, class F>
void for_each_target(const Session& session, F f) {
  using plan = typename Session::plan;
  using unfit = unfit_prediction<Session, Output, Target>;
  constexpr int target = input_edge<plan>(Target);
  if constexpr (unfit::wrong) {
    tenon::detail::say<tenon::detail::error_in<unfit>>();
  } else if constexpr (target >= 0) {
    const auto scores = get<Output>(session);
    const auto at = [&](const auto& scored, int row, std::size_t step) {
      if (const int token = access::token<target>(session, row, static_cast<int>(step)); token >= 0)
        f(row, scored, token);
    };
    constexpr int rank = shown_rank<plan, output_edge<plan>(Output)>;
    for (int r = 0; r < session.rows(); ++r) {
      if constexpr (rank == 2) at(scores[r], r, 0);
      else if constexpr (rank == 3)
        for (std::size_t t = 0; t < scores.extent(1); ++t) at(scores[r][t], r, t);
      else
        for (std::size_t y = 0, t = 0; y < scores.extent(1); ++y)
          for (std::size_t x = 0; x < scores.extent(2); ++x, ++t) at(scores[r][y][x], r, t);
    }
  }
}
}  // namespace engine

namespace metric {

// Calls f(scores, target) for each row or step of a run that has a target: a view of the scores [D], and the target's number.
template <ir::text Output, ir::text Target, class Session, class F>
void for_each_prediction(const Session& session, F f) {
  engine::for_each_target<Output, Target>(session,
                                          [&](int, const auto& scores, int target) { f(scores, target); });
}

}  // namespace metric

}  // namespace tenon
