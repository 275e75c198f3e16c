// The bodies of confusion.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace tenon::inline v0_1::metric {

TENON_INLINE confusion::confusion(int classes) : classes_(classes) {
  if (classes <= 0)
    throw input_error("confusion: expected at least 1 class, got " + std::to_string(classes) +
                      "; give the number of classes, as in metric::confusion(10)");
  counts_.resize(static_cast<std::size_t>(classes) * static_cast<std::size_t>(classes));
}

TENON_INLINE void confusion::add(int target, int predicted) {
  ++counts_[index(target, predicted)];
  ++total_;
}

TENON_INLINE double confusion::accuracy() const {
  long right = 0;
  for (int c = 0; c < classes_; ++c) right += count(c, c);
  return total_ > 0 ? static_cast<double>(right) / static_cast<double>(total_) : 0;
}

TENON_INLINE std::string confusion::table_of(const std::vector<std::string>& names) const {
  if (std::cmp_not_equal(names.size(), classes_))
    tenon::detail::throw_input_error({"confusion: expected ", classes_, " names, got ", names.size()});
  std::size_t width = std::to_string(total_).size();
  for (const std::string& name : names) width = std::max(width, name.size());
  std::string all;
  const auto cell = [&](const std::string& text) {
    all += std::string(width - text.size(), ' ') + text + "  ";
  };
  const auto end_line = [&] { all.replace(all.size() - 2, 2, "\n"); };
  cell("");
  for (const std::string& name : names) cell(name);
  end_line();
  for (int target = 0; target < classes_; ++target) {
    cell(names[static_cast<std::size_t>(target)]);
    for (int predicted = 0; predicted < classes_; ++predicted) cell(std::to_string(count(target, predicted)));
    end_line();
  }
  return all;
}

TENON_INLINE long confusion::rows_of(int target) const {
  long rows = 0;
  for (int p = 0; p < classes_; ++p) rows += count(target, p);
  return rows;
}

TENON_INLINE long confusion::taken_for(int predicted) const {
  long rows = 0;
  for (int t = 0; t < classes_; ++t) rows += count(t, predicted);
  return rows;
}

TENON_INLINE std::size_t confusion::index(int target, int predicted) const {
  if (target < 0 || target >= classes_ || predicted < 0 || predicted >= classes_)
    throw std::out_of_range("confusion: class " + std::to_string(target) + " taken for class " +
                            std::to_string(predicted) + "; the classes are 0 to " +
                            std::to_string(classes_ - 1));
  return static_cast<std::size_t>(target) * static_cast<std::size_t>(classes_) +
         static_cast<std::size_t>(predicted);
}

}  // namespace tenon::inline v0_1::metric
