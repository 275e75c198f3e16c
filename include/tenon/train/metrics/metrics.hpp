// Metrics of classification and of language models. A metric is any type with
//   std::string name() const;  void reset();  void add(const auto& session);  double value() const;
// where `add` reads the outputs and the targets of one batch. If it has a std::string output() const, two metrics of
// one name are told apart by it. The best value is the highest, or the lowest if it has a static constexpr bool
// lower_is_better = true.
// Use: fit(trainer, data, {.validate = .., .metrics = {metric::accuracy{}}}).
#pragma once

#include "tenon/train/metrics/confusion.hpp"
#include "tenon/train/metrics/predictions.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>

namespace tenon::inline v0_1 {

namespace detail {
// Metric: the text before its names, "metric::top_k<5, ".
template <ir::text Metric, ir::text Output, ir::text Target>
struct of_predictions {
  template <class Session>
  using unfit = engine::unfit_prediction<Session, Output, Target, Metric>;
  static std::string output() { return std::string(Output.view()); }
};
// What macro_recall and macro_f1 share.
template <ir::text Metric, ir::text Output, ir::text Target>
class counted_classes : public of_predictions<Metric, Output, Target> {
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

// The share of targets that have the largest score.
template <ir::text Output = "logits", ir::text Target = "target">
class accuracy : public tenon::detail::of_predictions<"metric::accuracy<", Output, Target> {
 public:
  std::string name() const { return "accuracy"; }
  void reset() { right_ = {}; }
  void add(const auto& session) {
    for_each_prediction<Output, Target>(session, [&](const auto& scores, int target) {
      right_.add(tenon::detail::position_of_largest(scores) == target);
    });
  }
  double value() const { return right_.value(); }

 private:
  tenon::detail::running_mean right_;
};
// The share of sequences, among those with a target, in which every target has the largest score.
template <ir::text Output = "logits", ir::text Target = "target">
class sequence_accuracy : public tenon::detail::of_predictions<"metric::sequence_accuracy<", Output, Target> {
 public:
  std::string name() const { return "sequence accuracy"; }
  void reset() { right_ = {}; }
  void add(const auto& session) {
    int last = -1;  // a row is judged when the next one begins, or after the last
    bool is_right = false;
    const auto finish = [&] {
      if (last >= 0) right_.add(is_right);
    };
    engine::for_each_target<Output, Target>(session, [&](int row, const auto& scores, int target) {
      if (row != last) {
        finish();
        last = row;
        is_right = true;
      }
      is_right = is_right && tenon::detail::position_of_largest(scores) == target;
    });
    finish();
  }
  double value() const { return right_.value(); }

 private:
  tenon::detail::running_mean right_;
};
// The share of targets among the K largest scores. Of equal scores the first ones count as larger.
template <int K, ir::text Output = "logits", ir::text Target = "target">
class top_k : public tenon::detail::of_predictions<"metric::top_k<K, ", Output, Target> {
  static_assert(K > 0, "metric::top_k<K> needs a positive K");

 public:
  std::string name() const { return "top " + std::to_string(K); }
  void reset() { right_ = {}; }
  void add(const auto& session) {
    for_each_prediction<Output, Target>(session, [&](const auto& scores, int target) {
      int larger = 0;
      for (std::size_t j = 0; j < scores.extent(0); ++j)
        larger += scores(j) > scores(target) ||
                  (j < static_cast<std::size_t>(target) && scores(j) == scores(target));
      right_.add(larger < K);
    });
  }
  double value() const { return right_.value(); }

 private:
  tenon::detail::running_mean right_;
};
// e to the mean negative log-likelihood of the targets under the softmax of the scores: the number of equally likely
// choices with the same uncertainty.
template <ir::text Output = "logits", ir::text Target = "target">
class perplexity : public tenon::detail::of_predictions<"metric::perplexity<", Output, Target> {
 public:
  static constexpr bool lower_is_better = true;
  std::string name() const { return "perplexity"; }
  void reset() { surprise_ = {}; }
  void add(const auto& session) {
    for_each_prediction<Output, Target>(session, [&](const auto& scores, int target) {
      double largest = static_cast<double>(scores(0)), sum = 0;
      for (std::size_t j = 1; j < scores.extent(0); ++j)
        largest = std::max(largest, static_cast<double>(scores(j)));
      for (std::size_t j = 0; j < scores.extent(0); ++j)
        sum += std::exp(static_cast<double>(scores(j)) - largest);
      surprise_.add(std::log(sum) + (largest - static_cast<double>(scores(target))));
    });
  }
  double value() const { return std::exp(surprise_.value()); }

 private:
  tenon::detail::running_mean surprise_;  // nats of each target
};

// See metric::confusion::macro_recall and macro_f1.
template <ir::text Output = "logits", ir::text Target = "target">
class macro_recall : public tenon::detail::counted_classes<"metric::macro_recall<", Output, Target> {
 public:
  std::string name() const { return "macro recall"; }
  double value() const { return this->found_ ? this->found_->macro_recall() : 0; }
};
template <ir::text Output = "logits", ir::text Target = "target">
class macro_f1 : public tenon::detail::counted_classes<"metric::macro_f1<", Output, Target> {
 public:
  std::string name() const { return "macro F1"; }
  double value() const { return this->found_ ? this->found_->macro_f1() : 0; }
};

}  // namespace metric
}  // namespace tenon::inline v0_1
