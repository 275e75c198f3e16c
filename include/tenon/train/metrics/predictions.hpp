// What a metric of classes reads: the scores of each row or step that has a target, and that target.
#pragma once

#include "tenon/engine/session/by_name.hpp"

#include <cstddef>

namespace tenon::inline v0_1 {

namespace detail {
// The position of the largest of the scores [D], the first if several are equal.
int position_of_largest(const auto& scores) {
  std::size_t best = 0;
  for (std::size_t j = 1; j < scores.extent(0); ++j)
    if (scores(j) > scores(best)) best = j;
  return static_cast<int>(best);
}
}  // namespace detail

namespace engine {
// The text of a metric before and after its names: of metric::top_k<5, "scores", "class">{}.
struct written_metric {
  characters before, behind = ">{}";
};
// An output that the graph does not have; the default names of metrics, "logits" and "y", are not treated as misspelt.
template <class Plan, text Output>
constexpr problem unfit_name_of_judged_output(const written_metric& metric) {
  bool is_misspelt = !(Output.view() == characters("logits")) && !(Output.view() == characters("y"));
  for (const node_record& n : Plan::net.nodes) is_misspelt = is_misspelt || n.path == name(Output);
  problem p = unfit_name_of_output<Plan, Output>::wrong;
  if (!is_misspelt) p.rule = sentence("the graph has no output '").append(Output.view()).append("'");
  if (!is_misspelt || input_edge<Plan>(Output) >= 0)
    p.fix = sentence("name the output, as in ")
                .append(metric.before)
                .append("\"")
                .append(Plan::net.output_names[0].view())
                .append("\"")
                .append(metric.behind);
  return p;
}
// What is wrong with an output of scores, and with the input for its target classes.
template <class Session, text Output, text Target>
constexpr problem unfit_judged_prediction(const written_metric& metric) {
  using plan = typename Session::plan;
  constexpr int scored = output_edge<plan>(Output), wanted = input_edge<plan>(Target);
  if constexpr (!is_laid_out<plan>) {
    return {};
  } else if constexpr (scored < 0) {
    return unfit_name_of_judged_output<plan, Output>(metric);
  } else if constexpr (wanted < 0) {
    return unfit_name_of_input<plan, Target>::wrong;
  } else {
    constexpr const auto &y = plan::net.edges[scored], &target = plan::net.edges[wanted];
    const sentence subject = sentence("a metric of classes: input '").append(Target.view());
    problem wrong{.fix = sentence("name output and target: ")
                             .append(metric.before)
                             .append("\"logits\", \"class\"")
                             .append(metric.behind)};
    if (!target.is_token()) {
      wrong.rule = sentence(subject).append("' holds numbers, not classes");
    } else if (target.axis != y.axis || y.layers > 1) {
      wrong.rule =
          sentence(subject).append("' has other steps than output '").append(Output.view()).append("'");
    } else if (target.range > y.size) {
      wrong.rule =
          sentence(subject).append("' has more classes than output '").append(Output.view()).append("'");
      wrong.axis = "scores";
      wrong.expected = target.range;
      wrong.got = y.size;
    }
    return wrong ? wrong : problem{};
  }
}
template <class Session, text Output, text Target, text Metric = "metric::accuracy<", text Behind = ">{}">
struct unfit_prediction {
  static constexpr problem wrong =
      unfit_judged_prediction<Session, Output, Target>({Metric.view(), Behind.view()});
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

namespace detail {
// The mean of what was added, 0 of nothing.
class running_mean {
 public:
  void add(double x) {
    sum_ += x;
    ++count_;
  }
  double value() const { return count_ > 0 ? sum_ / static_cast<double>(count_) : 0; }

 private:
  double sum_ = 0;
  long count_ = 0;
};
}  // namespace detail

namespace metric {

// Calls f(scores, target) for each row or step of a run that has a target: a view of the scores [D], and the target's number.
template <ir::text Output, ir::text Target, class Session, class F>
void for_each_prediction(const Session& session, F f) {
  engine::for_each_target<Output, Target>(session,
                                          [&](int, const auto& scores, int target) { f(scores, target); });
}

}  // namespace metric

}  // namespace tenon::inline v0_1
