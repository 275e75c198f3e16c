// metric::confusion: how often one class was predicted for another, and the measures that follow from these counts.
#pragma once

#include "tenon/diagnostics/input_error.hpp"

#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace tenon::inline v0_1 {

namespace metric {

// How often class j was predicted for class i.
class confusion {
 public:
  // Throws input_error if there are no classes.
  explicit confusion(int classes);

  // Both throw std::out_of_range if a class is outside 0 .. classes-1.
  void add(int target, int predicted);
  long count(int target, int predicted) const { return counts_[index(target, predicted)]; }
  long total() const { return total_; }
  // Share of rows whose class was predicted right; 0 without rows.
  double accuracy() const;
  // Mean, over the classes that occur, of the share of their rows that were predicted right.
  double macro_recall() const {
    return mean_over_classes([&](int c) { return std::pair(count(c, c), rows_of(c)); });
  }
  // Mean, over the classes that occur or were predicted, of F1 = 2 right / (rows of the class + rows predicted as the
  // class), the harmonic mean of precision and recall; as scikit-learn's f1_score(average="macro").
  double macro_f1() const {
    return mean_over_classes([&](int c) { return std::pair(2 * count(c, c), rows_of(c) + taken_for(c)); });
  }

  // The counts as text: a line for each class, with a column for each class that was predicted. The names of the classes
  // are any range of texts, such as a vocabulary. Throws input_error if there are more or fewer.
  template <class Names>
  std::string table(const Names& names) const {
    return table_of({std::begin(names), std::end(names)});
  }

 private:
  long rows_of(int target) const;
  long taken_for(int predicted) const;
  std::string table_of(const std::vector<std::string>& names) const;
  // The mean of part / whole, with f(class) = (part, whole), over the classes whose whole is above 0; 0 without any.
  template <class F>
  double mean_over_classes(F f) const {
    double sum = 0;
    int present = 0;
    for (int c = 0; c < classes_; ++c) {
      const auto [part, whole] = f(c);
      if (whole == 0) continue;
      sum += static_cast<double>(part) / static_cast<double>(whole);
      ++present;
    }
    return present > 0 ? sum / present : 0;
  }
  std::size_t index(int target, int predicted) const;
  int classes_;
  long total_ = 0;
  std::vector<long> counts_;
};

}  // namespace metric

}  // namespace tenon::inline v0_1

#ifndef TENON_COMPILED
#  include "tenon/train/metrics/confusion.ipp"
#endif
