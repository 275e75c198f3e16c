// Dates as people write them and as numbers, and models that turn the one into the other: see dates.cpp.
#pragma once

#include <tenon/data.hpp>
#include <tenon/io.hpp>
#include <tenon/train.hpp>

#include <tenon/tenon.hpp>

#include <array>
#include <cstdio>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace dates_as_numbers {

using namespace tenon;
using namespace tenon::nn;

// --- the dates ------------------------------------------------------------------------------------------------------------------------------
constexpr const char* letters = " ,./0123456789abcdefghijklmnopqrstuvwxyz";  // of what is read
constexpr int known_letters = 40, longest = 32;
constexpr int start = 11, end = 12, symbols_written = 13, written_length = 11;  // 0 to 9, '-', and these

struct date {
  int year = 1900, month = 1, day = 1;
  int number() const { return (year * 12 + month) * 32 + day; }
};
inline std::string padded(int number, int digits) {
  std::string text = std::to_string(number);
  while (static_cast<int>(text.size()) < digits) text.insert(text.begin(), '0');
  return text;
}
inline std::string as_numbers(const date& d) { return std::to_string(d.year) + "-" + padded(d.month, 2) + "-" + padded(d.day, 2); }
inline date any_date(backend::random_stream& random) {
  const auto from = [&](int first, int count) { return first + static_cast<int>(random.below(static_cast<std::uint32_t>(count))); };
  date d{from(1900, 200), from(1, 12), 0};
  const bool is_leap = d.year % 4 == 0 && (d.year % 100 != 0 || d.year % 400 == 0);
  d.day = from(1, std::array{31, is_leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[static_cast<std::size_t>(d.month - 1)]);
  return d;
}
// The same date as people write it.
inline std::string as_written(const date& d, backend::random_stream& random) {
  static const char* const months[] = {"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"};
  const std::string month = months[d.month - 1], day = std::to_string(d.day), year = std::to_string(d.year);
  const int last = d.day % 10, teen = d.day / 10 == 1;
  const std::string counted = day + (teen || last == 0 || last > 3 ? "th" : last == 1 ? "st" : last == 2 ? "nd" : "rd");
  switch (random.below(8)) {
    case 0: return counted + " of " + month + ", " + year;
    case 1: return month + " " + day + ", " + year;
    case 2: return day + " " + month.substr(0, 3) + " " + year;
    case 3: return month.substr(0, 3) + ". " + counted + ", " + year;
    case 4: return day + "." + std::to_string(d.month) + "." + year;
    case 5: return year + "/" + padded(d.month, 2) + "/" + padded(d.day, 2);
    case 6: return "the " + counted + " of " + month + " " + year;
    default: return year + ", " + month + " " + day;
  }
}
inline std::vector<int> letters_of(const std::string& text) {
  std::vector<int> numbers;
  for (const char c : text) {
    const std::size_t found = std::string(letters).find(static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c));
    if (found == std::string::npos) throw input_error("the date '" + text + "': expected letters, digits, blanks and , . /, got '" + c + "'");
    numbers.push_back(static_cast<int>(found));
  }
  if (numbers.empty() || static_cast<int>(numbers.size()) > longest) throw input_error("the date '" + text + "': expected 1 to 32 letters, got " + std::to_string(numbers.size()));
  return numbers;
}
inline std::vector<int> symbols_of(const std::string& text) {
  std::vector<int> all;
  for (const char c : text) all.push_back(c == '-' ? 10 : c - '0');
  all.push_back(end);
  return all;
}
inline std::string text_of(std::span<const int> symbols) {
  std::string text;
  for (const int s : symbols) text += s < 10 ? static_cast<char>('0' + s) : s == 10 ? '-' : '?';
  return text;
}
struct dates {
  std::vector<std::vector<int>> read, before, target;
  std::vector<std::string> texts, answers;
};
// Dates that are not in `others`.
inline dates some_dates(int count, seed s, std::set<int>& others) {
  backend::random_stream random(s.value, 0);
  std::set<int> own;
  dates all;
  while (static_cast<int>(all.texts.size()) < count) {
    const date d = any_date(random);
    if (others.contains(d.number())) continue;
    own.insert(d.number());
    all.texts.push_back(as_written(d, random));
    all.answers.push_back(as_numbers(d));
    all.read.push_back(letters_of(all.texts.back()));
    all.target.push_back(symbols_of(all.answers.back()));
  }
  others.insert(own.begin(), own.end());
  all.before = decoding::shifted_right(all.target, start);
  return all;
}

// --- the model ------------------------------------------------------------------------------------------------------------------------------
constexpr int remembered = 128;  // numbers of a state

// What the decoder makes of the letter before: a GRU over it. With SeesContext it is Cho's decoder: of the letter y, the state s and the encoder's
// last state c, s_t = f(s_{t-1}, y_{t-1}, c), and the scores are g(s_t, y_{t-1}, c).
template <bool SeesContext>
struct one_letter : equations::symbols {
  struct made {
    ir::value state, scores;
  };
  static constexpr made of(auto letter, auto s, auto context) {
    auto y = relu(matrix<"embedding", 32>(one_hot<symbols_written>(letter)));
    if constexpr (SeesContext) y = concat(y, context);
    const auto z = sigmoid(W<"z">(y) + U<"z">(s) + b<"z">), r = sigmoid(W<"r">(y) + U<"r">(s) + b<"r">);
    const auto next_s = (1 - z) * s + z * tanh(W<"n">(y) + U<"n">(r * s) + b<"n">);
    auto known = next_s;
    if constexpr (SeesContext) known = concat(next_s, y);
    return {next_s, matrix<"scores", symbols_written>(known) + vector<"scores_bias">};
  }
};
// In training, a date is read to the decoder with probability Forced; otherwise it reads what it has written, and stops counting when it has
// written the end. Both decisions hold for a whole date, since the context has no steps.
template <bool SeesContext, double Forced>
struct learning {
  static constexpr auto step(auto letter, auto s, auto last, auto ended, auto context) {
    const auto is_forced = bernoulli<Forced>(context);
    const auto made = one_letter<SeesContext>::of(select(is_forced, letter, last), s, context);
    const auto own = argmax(made.scores);
    return next(made.state, own, select(is_forced, 0, max(ended, equal(own, end)))).emitting(concat(log_softmax(made.scores), 1 - ended));
  }
};
template <bool SeesContext>
struct writing {
  static constexpr auto step(auto letter, auto s, auto context) {
    const auto made = one_letter<SeesContext>::of(letter, s, context);
    return next(made.state).emitting(made.scores);
  }
};
struct log_probabilities {
  static constexpr auto at(auto found) { return slice<0, symbols_written>(found); }
};
struct counting_letters {
  static constexpr auto at(auto found) { return slice<symbols_written, 1>(found); }
};
struct until_the_end {  // the log probability of the right letter, of the letters that count
  static constexpr auto at(auto log_p, auto counting, auto target) {
    const auto counts = counting * greater(target, -0.5);
    return with<"count">(-pick(log_p, target) * counts, counts);
  }
};
template <int Token>
struct first {
  static constexpr auto at(auto state) { return 0 * sum(state) + Token; }
};

template <bool SeesContext, double Forced, int Rows = 32>
struct model {
  static constexpr int rows = Rows;  // dates for each update
  template <class... Decoder>
  using with_decoder = graph<"dates", input<"read", token<known_letters>, steps<longest, "source">>,
                             input<"before", token<symbols_written>, steps<written_length, "target">>,
                             node<"letters", embedding<known_letters, 32>, "read">, node<"encoder", gru<remembered>, "letters">, Decoder...>;
  using learner = with_decoder<node<"start", first<start>, "encoder.final">, node<"not_ended", first<0>, "encoder.final">,
                               node<"decoder", recurrent<learning<SeesContext, Forced>, hidden<remembered, 1, 1>>, "before", "encoder.final", "start", "not_ended", "encoder.final">,
                               node<"log_p", log_probabilities, "decoder">, node<"counting", counting_letters, "decoder">, output<"log_p">, output<"counting">>;
  using writer = with_decoder<node<"decoder", recurrent<writing<SeesContext>, hidden<remembered>>, "before", "encoder.final", "encoder.final">, output<"decoder">>;
  using training = trainer<learner, losses::mean_loss_of_classes<until_the_end, "log_p", "counting">, optimizers::adam, batch<Rows>>;
};

// The share of dates that are written without a mistake, and with `shown` the first few.
template <class Model>
double share_right(const parameters<typename Model::learner>& learned, const dates& all, int shown) {
  parameters<typename Model::writer> theta;
  io::copy_by_name(learned, theta);
  constexpr int rows = 50;
  streaming<typename Model::writer, batch<rows>> live(theta);
  auto write = greedy<"before", "decoder">(live, {.start = start, .end = end, .max_steps = written_length});
  int right = 0, number = 0;
  for_each_batch(shuffled(static_cast<int>(all.texts.size()), seed{7}, 0), rows, [&](std::span<const int> some) {
    std::vector<std::vector<int>> read;
    for (const int k : some) read.push_back(all.read[static_cast<std::size_t>(k)]);
    set_input<"read">(live, read);
    write();
    for (std::size_t r = 0; r < some.size(); ++r) {
      const auto k = static_cast<std::size_t>(some[r]);
      const std::string text = text_of(write.text(static_cast<int>(r)));
      right += text == all.answers[k];
      if (number++ < shown) std::printf("  %-26s %s%s\n", all.texts[k].c_str(), text.c_str(), text == all.answers[k] || all.answers[k].empty() ? "" : "  wrong");
    }
  });
  return static_cast<double>(right) / static_cast<double>(all.texts.size());
}

}  // namespace dates_as_numbers
