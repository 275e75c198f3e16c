// metric::span_f1: how many spans of a tagged sequence are found, counted as in the shared tasks on chunks and names
// (Tjong Kim Sang and Buchholz 2000, conlleval). Tags are B-type at the first step of a span, I-type within it, O
// outside; also E-type at its last step and S-type for a span of one step (IOBES).
//   evaluate(trainer, test, {metric::span_f1{tags}})     tags: a vocabulary, or any range of the tags by number
#pragma once

#include "tenon/train/metrics/metrics.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tenon::inline v0_1 {

namespace engine {
template <class Session, text Output, text Target>
struct unfit_spans {
  using plan = typename Session::plan;
  static constexpr problem wrong = [] {
    constexpr problem unfit =
        unfit_judged_prediction<Session, Output, Target>({"metric::span_f1<", ">{tags}"});
    if (unfit || !is_laid_out<plan>) return unfit;
    constexpr int scored = output_edge<plan>(Output);
    if constexpr (scored >= 0)
      if (plan::net.edges[scored].axis < 0 || plan::net.edges[scored].is_grid())
        return problem{.rule = sentence("spans are of sequences, and output '")
                                   .append(Output.view())
                                   .append("' has no steps"),
                       .fix = "metric::macro_f1{} is of classes"};
    return problem{};
  }();
};
}  // namespace engine

namespace metric {

// The F1 of spans over all sequences together (micro average), 0 to 1; a span is right if its type and both ends are.
// As in conlleval, a step with a type that follows another type, or O, begins a span, whatever its letter. Steps
// whose target is -1 are left out.
template <ir::text Output = "logits", ir::text Target = "target">
class span_f1 {
 public:
  template <class Session>
  using unfit = engine::unfit_spans<Session, Output, Target>;

  // The tags by number; larger numbers count as O. Throws input_error if no tag has the form B-type.
  template <class Tags>
  explicit span_f1(const Tags& tags) {
    bool is_any = false;
    for (std::string_view name : tags) {
      tag t;
      const bool is_in = name.size() > 2 && name[1] == '-' &&
                         std::string_view("BIES").find(name[0]) != std::string_view::npos;
      if (is_in) {
        t.letter = name[0];
        name.remove_prefix(2);
        t.type = static_cast<int>(std::find(types_.begin(), types_.end(), name) - types_.begin());
        if (t.type == static_cast<int>(types_.size())) types_.emplace_back(name);
      }
      is_any = is_any || is_in;
      tags_.push_back(t);
    }
    if (!is_any)
      tenon::detail::throw_input_error(
          {"span_f1: expected tags such as B-name, I-name and O, got none among ", tags_.size()});
  }

  std::string name() const { return "span F1"; }
  static std::string output() { return std::string(Output.view()); }
  void reset() { right_ = wanted_ = found_ = 0; }
  // Adds each sequence of a batch.
  void add(const auto& session) {
    const auto scores = get<Output>(session);
    const auto targets = get_input<Target>(session);
    std::vector<int> target, predicted;
    for (std::size_t r = 0; r < static_cast<std::size_t>(session.rows()); ++r) {
      target.clear();
      predicted.clear();
      for (std::size_t t = 0; t < scores.extent(1); ++t)
        if (targets(r, t) >= 0) {
          target.push_back(targets(r, t));
          predicted.push_back(tenon::detail::position_of_largest(scores[r][t]));
        }
      add(target, predicted);
    }
  }
  // Adds one sequence, the numbers of its tags. Throws input_error if the two lengths differ.
  void add(std::span<const int> target, std::span<const int> predicted) {
    if (target.size() != predicted.size())
      tenon::detail::throw_input_error(
          {"span_f1: expected as many tags as targets, ", target.size(), ", got ", predicted.size()});
    std::size_t wanted = 0, found = 0;  // where the open span began
    const std::size_t steps = target.size();
    for (std::size_t t = 0; t <= steps; ++t) {
      const bool is_wanted = t > 0 && ends(target, t), is_found = t > 0 && ends(predicted, t);
      wanted_ += is_wanted;
      found_ += is_found;
      right_ += is_wanted && is_found && wanted == found &&
                tag_of(target[t - 1]).type == tag_of(predicted[t - 1]).type;
      if (t < steps && begins(target, t)) wanted = t;
      if (t < steps && begins(predicted, t)) found = t;
    }
  }

  // The share of the found spans that are right, and of the true spans that are found; 0 without any.
  double precision() const { return share(right_, found_); }
  double recall() const { return share(right_, wanted_); }
  double value() const { return share(2 * right_, wanted_ + found_); }

 private:
  struct tag {
    char letter = 'O';
    int type = -1;
  };
  static double share(long part, long whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
  }
  tag tag_of(int number) const {
    const auto k = static_cast<std::size_t>(number);
    return number >= 0 && k < tags_.size() ? tags_[k] : tag{};
  }
  // Does a span begin at step t? Does one end just before it?
  bool begins(std::span<const int> tags, std::size_t t) const {
    const tag now = tag_of(tags[t]), before = t > 0 ? tag_of(tags[t - 1]) : tag{};
    return now.type >= 0 && (now.letter == 'B' || now.letter == 'S' || before.letter == 'E' ||
                             before.letter == 'S' || before.type != now.type);
  }
  bool ends(std::span<const int> tags, std::size_t t) const {
    if (tag_of(tags[t - 1]).type < 0) return false;
    return t == tags.size() || tag_of(tags[t]).type < 0 || begins(tags, t);
  }

  std::vector<tag> tags_;
  std::vector<std::string> types_;
  long right_ = 0, wanted_ = 0, found_ = 0;
};
template <class Tags>
span_f1(const Tags&) -> span_f1<"logits", "target">;

}  // namespace metric
}  // namespace tenon::inline v0_1
