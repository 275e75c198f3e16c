// The index lookup task: ten random digits and a position; the answer is the digit there.
#pragma once

#include <tenon/tenon.hpp>

#include <utility>
#include <vector>

struct digit_questions {
  std::vector<std::vector<int>> digits;
  std::vector<int> positions, answers;

  digit_questions(int count, tenon::seed s) : digits(static_cast<std::size_t>(count), std::vector<int>(10)) {
    tenon::backend::random_stream random(s.value, 0);
    for (std::vector<int>& ten : digits) {
      for (int& digit : ten) digit = static_cast<int>(random.below(10));
      answers.push_back(ten[static_cast<std::size_t>(positions.emplace_back(static_cast<int>(random.below(10))))]);
    }
  }
};
inline auto digit_sequences(int count, tenon::seed s) {
  digit_questions of(count, s);
  return tenon::data_set(tenon::column<"tokens">(std::move(of.digits)), tenon::column<"index">(std::move(of.positions)),
                         tenon::column<"target">(std::move(of.answers)));
}
