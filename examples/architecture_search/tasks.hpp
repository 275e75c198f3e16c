// The tasks of the search: texts whose next character is asked for. Arithmetic and XML are those of Jozefowicz, Zaremba and Sutskever 2015 in
// small; counting is that of Weiss, Goldberg and Yahav 2018.
#pragma once

#include <tenon/data.hpp>
#include <tenon/diagnostics/input_error.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace architecture_search {

inline constexpr std::string_view characters = "abcdefghijklmnopqrstuvwxyz0123456789+-=.</>";
inline constexpr int known = static_cast<int>(characters.size()), longest = 80;
// n of a^n b^n: 1 to 10 in training, 11 to 15 to choose a learning rate, and 16 to 40 in the test.
inline constexpr int longest_learnt = 10, longest_chosen_by = 15, longest_tested = 40;

enum class task { arithmetic, xml, counting };
inline constexpr task tasks[]{task::arithmetic, task::xml, task::counting};
inline const char* name_of(task t) { return t == task::arithmetic ? "arithmetic" : t == task::xml ? "xml" : "counting"; }

inline int below(tenon::backend::random_stream& random, int count) { return static_cast<int>(random.below(static_cast<std::uint32_t>(count))); }

// "3e6d9-h1h3c=" and its answer "356.": the sum or the difference of two numbers of up to three digits, letters between its characters that mean
// nothing, and a point after the answer. (In the paper numbers have up to eight digits, and a sign.)
inline std::string arithmetic_text(tenon::backend::random_stream& random) {
  const auto number = [&] {
    int limit = 1;
    for (int digits = 1 + below(random, 3); digits > 0; --digits) limit *= 10;
    return below(random, limit);
  };
  const int a = number(), b = number();
  const bool is_sum = below(random, 2) == 0;
  std::string text;
  for (const char c : std::to_string(a) + (is_sum ? '+' : '-') + std::to_string(b)) {
    text += c;
    for (int letters = below(random, 3); letters > 0; --letters) text += characters[static_cast<std::size_t>(below(random, 26))];
  }
  return text + "=" + std::to_string(is_sum ? a + b : a - b) + ".";
}
// "<ab><cde></cde></ab><x..": with probability 1/2 the last open tag is closed, or the document ends, and otherwise a new tag of two to five
// letters is opened. Documents follow each other, and the text is cut. (In the paper a tag has up to ten letters.)
inline std::string xml_text(tenon::backend::random_stream& random, std::size_t length) {
  std::string text;
  std::vector<std::string> open;
  while (text.size() < length) {
    if (below(random, 2) == 0) {
      if (open.empty()) continue;  // the next document begins
      text += "</" + open.back() + ">";
      open.pop_back();
    } else {
      std::string tag;
      for (int letters = 2 + below(random, 4); letters > 0; --letters) tag += characters[static_cast<std::size_t>(below(random, 26))];
      text += "<" + tag + ">";
      open.push_back(tag);
    }
  }
  return text.substr(0, length);
}
inline std::string counting_text(int n) { return std::string(static_cast<std::size_t>(n), 'a') + std::string(static_cast<std::size_t>(n), 'b') + "."; }

// What a network reads, and what it has to say after each character: the next one, or -1 where nobody can know it.
struct exercise {
  std::vector<int> read, target;
};
inline exercise exercise_of(task t, const std::string& text) {
  const std::size_t first = t == task::arithmetic ? text.find('=') : t == task::counting ? text.find('b') : 0;
  exercise made;
  for (std::size_t k = 0; k + 1 < text.size(); ++k) {
    made.read.push_back(static_cast<int>(characters.find(text[k])));
    made.target.push_back(k < first ? -1 : static_cast<int>(characters.find(text[k + 1])));
  }
  return made;
}
inline exercise some_exercise(task t, tenon::seed s, int row) {
  tenon::backend::random_stream random(s.value, static_cast<std::uint64_t>(row));
  if (t == task::arithmetic) return exercise_of(t, arithmetic_text(random));
  if (t == task::xml) return exercise_of(t, xml_text(random, 49));
  return exercise_of(t, counting_text(1 + below(random, longest_learnt)));
}
// Rows that are made when they are asked for.
inline auto exercises(int rows, auto exercise_of_row) {
  return tenon::data_set(tenon::column<"characters">(rows, [=](int row) { return exercise_of_row(row).read; }),
                         tenon::column<"target">(rows, [=](int row) { return exercise_of_row(row).target; }));
}

}  // namespace architecture_search
