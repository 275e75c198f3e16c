// The index lookup task: ten random digits and a position; the answer is the digit there.
#pragma once

#include <tenon/tenon.hpp>

#include <span>
#include <vector>

struct digit_sequences {
  std::vector<std::vector<int>> digits;
  std::vector<int> index;

  digit_sequences(int count, tenon::seed s) : digits(static_cast<std::size_t>(count)), index(static_cast<std::size_t>(count)) {
    tenon::backend::random_stream random(s.value, 0);
    for (std::size_t i = 0; i < digits.size(); ++i) {
      for (int t = 0; t < 10; ++t) digits[i].push_back(static_cast<int>(random.below(10)));
      index[i] = static_cast<int>(random.below(10));
    }
  }
  int count() const { return static_cast<int>(digits.size()); }
  int answer(std::size_t i) const { return digits[i][static_cast<std::size_t>(index[i])]; }

  // Gives the rows to a session; returns their answers.
  std::vector<int> feed(auto& session, std::span<const int> rows) const {
    std::vector<std::vector<int>> tokens;
    std::vector<int> positions, answers;
    for (int row : rows) {
      const auto i = static_cast<std::size_t>(row);
      tokens.push_back(digits[i]), positions.push_back(index[i]), answers.push_back(answer(i));
    }
    session.template input<"tokens">(tokens);
    session.template input<"index">(positions);
    return answers;
  }
};
