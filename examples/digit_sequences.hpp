// The index lookup task: ten random digits and a position; the answer is the digit there.
#pragma once

#include <tenon/tenon.hpp>

#include <utility>
#include <vector>

inline auto digit_sequences(int count, tenon::seed s) {
  std::vector<std::vector<int>> digits(static_cast<std::size_t>(count), std::vector<int>(10));
  std::vector<int> index, answers;
  tenon::backend::random_stream random(s.value, 0);
  for (std::vector<int>& sequence : digits) {
    for (int& digit : sequence) digit = static_cast<int>(random.below(10));
    answers.push_back(sequence[static_cast<std::size_t>(index.emplace_back(static_cast<int>(random.below(10))))]);
  }
  return tenon::data_set(tenon::column<"tokens">(std::move(digits)), tenon::column<"index">(std::move(index)), tenon::column<"target">(std::move(answers)));
}
