// Metrics of classification and of language models. A metric is any type with
//   std::string name() const;  void reset();  void add(const auto& session);  double value() const;
// where `add` looks at the outputs and the targets of one batch: fit(trainer, data, {.validate = .., .metrics = {metric::accuracy{}}}).
// Where it has a std::string output() const, two of one name are told apart by it.
#pragma once

#include "tenon/engine/session/by_name.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tenon {

namespace metric {

// How often class i was taken for class j.
class confusion {
 public:
  // Throws std::invalid_argument where there are no classes.
  explicit confusion(int classes) : classes_(classes) {
    if (classes <= 0)
      throw std::invalid_argument("confusion: expected at least 1 class, got " + std::to_string(classes));
    counts_.resize(static_cast<std::size_t>(classes) * static_cast<std::size_t>(classes));
  }

  // Both throw std::out_of_range where a class is outside 0 .. classes-1.
  void add(int target, int predicted) {
    ++counts_[index(target, predicted)];
    ++total_;
  }
  long count(int target, int predicted) const { return counts_[index(target, predicted)]; }
  long total() const { return total_; }
  // Share of rows whose class was found; 0 without rows.
  double accuracy() const {
    long right = 0;
    for (int c = 0; c < classes_; ++c) right += count(c, c);
    return total_ > 0 ? static_cast<double>(right) / static_cast<double>(total_) : 0;
  }
  // Mean over the classes that occur of the share of their rows that was found.
  double macro_recall() const {
    return mean_over_classes([&](int c) { return std::pair(count(c, c), rows_of(c)); });
  }
  // Mean over the classes that occur or were predicted of F1 = 2 right / (rows of the class + rows taken for
  // it), the harmonic mean of precision and recall; as scikit-learn's f1_score(average="macro").
  double macro_f1() const {
    return mean_over_classes([&](int c) { return std::pair(2 * count(c, c), rows_of(c) + taken_for(c)); });
  }

 private:
  long rows_of(int target) const {
    long rows = 0;
    for (int p = 0; p < classes_; ++p) rows += count(target, p);
    return rows;
  }
  long taken_for(int predicted) const {
    long rows = 0;
    for (int t = 0; t < classes_; ++t) rows += count(t, predicted);
    return rows;
  }
  // The mean of part / whole, f(class) = (part, whole), over the classes that have a whole; 0 without any.
  template <class F>
  double mean_over_classes(F f) const {
    double sum = 0;
    int counted = 0;
    for (int c = 0; c < classes_; ++c) {
      const auto [part, whole] = f(c);
      if (whole == 0) continue;
      sum += static_cast<double>(part) / static_cast<double>(whole);
      ++counted;
    }
    return counted > 0 ? sum / counted : 0;
  }
  std::size_t index(int target, int predicted) const {
    if (target < 0 || target >= classes_ || predicted < 0 || predicted >= classes_)
      throw std::out_of_range("confusion: class " + std::to_string(target) + " taken for class " +
                              std::to_string(predicted) + "; the classes are 0 to " +
                              std::to_string(classes_ - 1));
    return static_cast<std::size_t>(target) * static_cast<std::size_t>(classes_) +
           static_cast<std::size_t>(predicted);
  }
  int classes_;
  long total_ = 0;
  std::vector<long> counts_;
};

}  // namespace metric

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
// What is wrong with an output for scores, and with an input for the classes that should have had the largest.
template <class Session, text Output, text Target>
struct unfit_prediction {
  using plan = typename Session::plan;
  static constexpr problem wrong = [] {
    constexpr int scored = output_edge<plan>(Output), wanted = input_edge<plan>(Target);
    if constexpr (!is_laid_out<plan>) {
      return problem{};
    } else if constexpr (scored < 0) {
      return unknown_output<plan, Output>::wrong;
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

namespace detail {
template <ir::text Output, ir::text Target>
struct of_predictions {
  template <class Session>
  using unfit = engine::unfit_prediction<Session, Output, Target>;
  static std::string output() { return std::string(Output.view()); }
};
// What macro_recall and macro_f1 share.
template <ir::text Output, ir::text Target>
class counted_classes : public of_predictions<Output, Target> {
 public:
  void reset() { found_.reset(); }
  void add(const auto& session) {
    metric::for_each_prediction<Output, Target>(session, [&](const auto& scores, int target) {
      if (!found_) found_.emplace(static_cast<int>(scores.extent(0)));
      found_->add(target, tenon::detail::position_of_largest(scores));
    });
  }

 protected:
  std::optional<metric::confusion> found_;
};
}  // namespace detail

namespace metric {

// The share of targets whose score is the largest.
template <ir::text Output = "logits", ir::text Target = "target">
class accuracy : public tenon::detail::of_predictions<Output, Target> {
 public:
  std::string name() const { return "accuracy"; }
  void reset() { right_ = total_ = 0; }
  void add(const auto& session) {
    for_each_prediction<Output, Target>(session, [&](const auto& scores, int target) {
      right_ += tenon::detail::position_of_largest(scores) == target, ++total_;
    });
  }
  double value() const { return total_ > 0 ? static_cast<double>(right_) / static_cast<double>(total_) : 0; }

 private:
  long right_ = 0, total_ = 0;
};
// The share of sequences all of whose targets have the largest score, of those that have a target: tagged without a mistake.
template <ir::text Output = "logits", ir::text Target = "target">
class sequence_accuracy : public tenon::detail::of_predictions<Output, Target> {
 public:
  std::string name() const { return "sequence accuracy"; }
  void reset() { right_ = total_ = 0; }
  void add(const auto& session) {
    int last = -1;  // its mistakes are known with the next row, or behind the last
    bool is_right = false;
    const auto finish = [&] { right_ += is_right, total_ += last >= 0; };
    engine::for_each_target<Output, Target>(session, [&](int row, const auto& scores, int target) {
      if (row != last) finish(), last = row, is_right = true;
      is_right = is_right && tenon::detail::position_of_largest(scores) == target;
    });
    finish();
  }
  double value() const { return total_ > 0 ? static_cast<double>(right_) / static_cast<double>(total_) : 0; }

 private:
  long right_ = 0, total_ = 0;
};
// The share of targets among the K largest scores. Of equal scores the first ones count as larger.
template <int K, ir::text Output = "logits", ir::text Target = "target">
class top_k : public tenon::detail::of_predictions<Output, Target> {
  static_assert(K > 0, "metric::top_k<K> needs a positive K");

 public:
  std::string name() const { return "top " + std::to_string(K); }
  void reset() { right_ = total_ = 0; }
  void add(const auto& session) {
    for_each_prediction<Output, Target>(session, [&](const auto& scores, int target) {
      int larger = 0;
      for (std::size_t j = 0; j < scores.extent(0); ++j)
        larger += scores(j) > scores(target) ||
                  (j < static_cast<std::size_t>(target) && scores(j) == scores(target));
      right_ += larger < K, ++total_;
    });
  }
  double value() const { return total_ > 0 ? static_cast<double>(right_) / static_cast<double>(total_) : 0; }

 private:
  long right_ = 0, total_ = 0;
};
// e to the mean negative log-likelihood of the targets under the softmax of the scores: the number of equally likely choices that
// would leave as much doubt.
template <ir::text Output = "logits", ir::text Target = "target">
class perplexity : public tenon::detail::of_predictions<Output, Target> {
 public:
  std::string name() const { return "perplexity"; }
  void reset() { sum_ = 0, total_ = 0; }
  void add(const auto& session) {
    for_each_prediction<Output, Target>(session, [&](const auto& scores, int target) {
      double largest = static_cast<double>(scores(0)), sum = 0;
      for (std::size_t j = 1; j < scores.extent(0); ++j)
        largest = std::max(largest, static_cast<double>(scores(j)));
      for (std::size_t j = 0; j < scores.extent(0); ++j)
        sum += std::exp(static_cast<double>(scores(j)) - largest);
      sum_ += std::log(sum) + (largest - static_cast<double>(scores(target))), ++total_;
    });
  }
  double value() const { return total_ > 0 ? std::exp(sum_ / static_cast<double>(total_)) : 1; }

 private:
  double sum_ = 0;
  long total_ = 0;
};

// See metric::confusion::macro_recall and macro_f1.
template <ir::text Output = "logits", ir::text Target = "target">
class macro_recall : public tenon::detail::counted_classes<Output, Target> {
 public:
  std::string name() const { return "macro recall"; }
  double value() const { return this->found_ ? this->found_->macro_recall() : 0; }
};
template <ir::text Output = "logits", ir::text Target = "target">
class macro_f1 : public tenon::detail::counted_classes<Output, Target> {
 public:
  std::string name() const { return "macro F1"; }
  double value() const { return this->found_ ? this->found_->macro_f1() : 0; }
};

}  // namespace metric
}  // namespace tenon
