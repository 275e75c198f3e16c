// From scores to choices: argmax, argmax_each, top_k, softmax and sample. The scores are a view [D] of any strides, such
// as the logits of one row: logits[row] of [rows, D], logits[row][step] of [rows, time, D].
//
// A view whose type has another rank, such as the output of a session, is refused when it is compiled. All throw
// input_error for another rank that only a run knows, for no scores, and for a score that is not a number. A choice
// whose score is minus infinity is never drawn.
#pragma once

#include "tenon/backend/random.hpp"
#include "tenon/diagnostics/input_error.hpp"
#include "tenon/diagnostics/number_text.hpp"
#include "tenon/diagnostics/wrong_call.hpp"
#include "tenon/tensor/view.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon::inline v0_1 {

namespace decoding {

template <class T>
struct scored_index {
  int index;
  T score;
};

// Which choices sample may draw, and how random it is.
struct sampling {
  // Divides the scores. Above 0; the lower it is, the more often the largest score is drawn.
  double temperature = 1;
  // Only this many of the largest scores are drawn. 0, or a number not below D: all of them.
  int top_k = 0;
  // Of these, only the fewest whose probabilities add up to this share (Holtzman et al. 2020). Above 0, at most 1.
  double top_p = 1;
};
#define TENON_MEMBERS_OF_SAMPLING ".temperature, .top_k, .top_p"

}  // namespace decoding

namespace detail {

template <class T>
void take_view(const view<T>&);
template <class Scores>
concept IsView = requires(const Scores& scores) {
  take_view(scores);
};

template <class T>
void check_scores(const char* function, const view<T>& scores) {
  if (scores.rank() != 1)
    throw_input_error({function, ": expected the scores of one row, [D], got rank ", scores.rank(),
                       scores.rank() > 1 ? "; scores[row] is one row" : ""});
  if (scores.size() == 0) throw_input_error({function, ": there are no scores"});
  for (std::size_t i = 0; i < scores.size(); ++i)
    if (std::isnan(static_cast<double>(scores(i))))
      throw_input_error({function, ": the score of ", i, " is not a number"});
}
// Is no choice left? All scores are minus infinity.
template <class T>
bool is_without_choice(const view<T>& scores) {
  for (std::size_t i = 0; i < scores.size(); ++i)
    if (!(std::isinf(static_cast<double>(scores(i))) && scores(i) < 0)) return false;
  return true;
}
// For scores that were checked.
template <class T>
std::size_t first_of_largest(const view<T>& scores) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < scores.size(); ++i)
    if (scores(i) > scores(best)) best = i;
  return best;
}
// exp((scores - largest) / temperature), which never overflows. Infinite scores share all of the weight.
template <class T>
void weigh(const char* function, const view<T>& scores, double temperature, std::vector<double>& weights) {
  if (!(temperature > 0) || std::isinf(temperature))
    throw input_error(std::string(function) + ": expected a finite temperature above 0, got " +
                      tenon::detail::fixed(temperature));
  check_scores(function, scores);
  const auto largest = static_cast<double>(scores(first_of_largest(scores)));
  if (std::isinf(largest) && largest < 0)
    throw_input_error({function, ": every score is minus infinity, so there is nothing to choose from"});
  weights.resize(scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const auto score = static_cast<double>(scores(i));
    weights[i] = score == largest ? 1 : std::exp((score - largest) / temperature);
  }
}
template <class Number>
Number sum_of(const std::vector<Number>& numbers) {
  Number sum = 0;
  for (Number x : numbers) sum += x;
  return sum;
}
// The numbers of the scores, with the k largest first, in falling order; of equal scores the first comes first.
template <class T>
void order_by_score(const view<T>& scores, std::size_t k, std::vector<int>& order) {
  order.resize(scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i) order[i] = static_cast<int>(i);
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(k), order.end(),
                    [&](int a, int b) { return scores(a) != scores(b) ? scores(a) > scores(b) : a < b; });
}

// The memory for a choice among this many scores. Made once; later calls allocate nothing.
struct room_to_choose {
  std::vector<double> weights;
  std::vector<int> order;

  room_to_choose() = default;
  explicit room_to_choose(std::size_t scores) {
    weights.reserve(scores);
    order.reserve(scores);
  }
};
inline void check_sampling(const char* function, const decoding::sampling& options) {
  if (options.top_k < 0)
    throw_input_error({function, ": expected a top_k of at least 0, got ", options.top_k});
  if (!(options.top_p > 0 && options.top_p <= 1))
    throw input_error(std::string(function) + ": expected a top_p above 0 and at most 1, got " +
                      tenon::detail::fixed(options.top_p));
}
// The weight of each choice, 0 for those that are never drawn.
template <class T>
void weigh_choices(const char* function, const view<T>& scores, const decoding::sampling& options,
                   room_to_choose& room) {
  check_sampling(function, options);
  std::vector<double>& weights = room.weights;
  weigh(function, scores, options.temperature, weights);
  const bool has_top_k = options.top_k > 0 && std::cmp_less(options.top_k, weights.size());
  if (!has_top_k && options.top_p == 1) return;
  const std::size_t k = has_top_k ? static_cast<std::size_t>(options.top_k) : weights.size();
  order_by_score(scores, k, room.order);
  double all = 0, sum = 0;
  for (std::size_t n = 0; n < k; ++n) all += weights[static_cast<std::size_t>(room.order[n])];
  for (std::size_t n = 0; n < weights.size(); ++n) {
    double& weight = weights[static_cast<std::size_t>(room.order[n])];
    const bool is_kept = n < k && !(options.top_p < 1 && sum >= options.top_p * all);
    if (is_kept) sum += weight;
    else weight = 0;
  }
}
template <class T>
int sample(const char* function, const view<T>& scores, backend::random_stream& random,
           const decoding::sampling& options, room_to_choose& room) {
  weigh_choices(function, scores, options, room);
  double left = random.uniform() * sum_of(room.weights);
  std::size_t drawn = 0;
  for (std::size_t i = 0; i < room.weights.size(); ++i) {
    if (room.weights[i] == 0) continue;
    drawn = i;
    left -= room.weights[i];
    if (left < 0) break;
  }
  return static_cast<int>(drawn);
}

}  // namespace detail

// The number of the largest score, the first of equal ones.
template <class T>
int argmax(const view<T>& scores) {
  detail::check_scores("argmax", scores);
  return static_cast<int>(detail::first_of_largest(scores));
}
// The same for one row of [rows, D].
template <class T>
int argmax(const view<T>& scores, std::integral auto row) {
  if (scores.rank() != 2)
    detail::throw_input_error(
        {"argmax: expected scores [rows, D] and a row, got rank ", scores.rank(),
         scores.rank() == 3 ? "; of [rows, time, D] write argmax(scores[row][step])" : ""});
  if (std::cmp_less(row, 0) || std::cmp_greater_equal(row, scores.extent(0)))
    detail::throw_input_error({"argmax: row ", row, " is outside the ", scores.extent(0), " rows"});
  return argmax(scores[row]);
}

#define TENON_SENTENCE                                                                        \
  "argmax takes a view: the scores of one row, or rows of them and the number of one, as in " \
  "argmax(get<'logits'>(session), 0); of numbers in memory write view<const float>(data, {size})"
template <TENON_SAYS_AND(TENON_SENTENCE) class Scores>
requires(!detail::IsView<Scores>) int argmax(const volatile Scores&, ...) TENON_REFUSED(TENON_SENTENCE);
template <TENON_SAYS_AND(TENON_SENTENCE) class T, int Rank, class Row>
requires(!std::integral<Row>) int argmax(const view<T, Rank>&, const Row&) TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE
#define TENON_SENTENCE                                                                                   \
  "argmax takes the scores of one row, [D], got a batch of them; name the row: argmax(scores, row), of " \
  "[rows, time, D] argmax(scores[row][step])"
template <TENON_SAYS_AND(TENON_SENTENCE) class T, int Rank>
requires(Rank > 1) int argmax(const view<T, Rank>&) TENON_REFUSED(TENON_SENTENCE);
template <TENON_SAYS_AND(TENON_SENTENCE) class T, int Rank>
requires(Rank > 2) int argmax(const view<T, Rank>&, std::integral auto) TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

// The same for each row of [rows, D], such as the steps of a sequence.
template <class T, int Rank>
requires(Rank == 2 || Rank == detail::any_rank) std::vector<int> argmax_each(const view<T, Rank>& scores) {
  if (scores.rank() != 2)
    detail::throw_input_error({"argmax_each: expected scores [rows, D], got rank ", scores.rank()});
  std::vector<int> all;
  for (std::size_t row = 0; row < scores.shape(0); ++row) all.push_back(argmax(scores[row]));
  return all;
}
#define TENON_SENTENCE \
  "argmax_each takes rows of scores, [rows, D], such as those of a sequence: argmax_each(scores[row])"
template <TENON_SAYS_AND(TENON_SENTENCE) class Scores>
std::vector<int> argmax_each(const Scores&, ...) TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

// The k largest scores with their numbers, in falling order; of equal scores the first comes first.
template <class T>
std::vector<decoding::scored_index<std::remove_const_t<T>>> top_k(const view<T>& scores,
                                                                  std::integral auto k) {
  detail::check_scores("top_k", scores);
  if (std::cmp_less(k, 1) || std::cmp_greater(k, scores.size()))
    detail::throw_input_error({"top_k: expected from 1 to ", scores.size(), " of the scores, got ", k});
  std::vector<int> order;
  detail::order_by_score(scores, static_cast<std::size_t>(k), order);
  std::vector<decoding::scored_index<std::remove_const_t<T>>> all;
  for (std::size_t n = 0; n < static_cast<std::size_t>(k); ++n) all.push_back({order[n], scores(order[n])});
  return all;
}
#define TENON_SENTENCE \
  "top_k takes the scores of one row, then how many of them: top_k(get<'logits'>(session)[row], 5)"
template <TENON_SAYS_AND(TENON_SENTENCE) class Scores>
requires(!detail::IsView<Scores>) int top_k(const Scores&, ...) TENON_REFUSED(TENON_SENTENCE);
template <TENON_SAYS_AND(TENON_SENTENCE) class T>
int top_k(const view<T>&, ...) TENON_REFUSED(TENON_SENTENCE);
template <TENON_SAYS_AND(TENON_SENTENCE) class T, int Rank>
requires(Rank > 1) int top_k(const view<T, Rank>&, std::integral auto) TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

// The probability with which sample draws each choice: exp(scores / temperature) / sum exp(scores / temperature), over
// the choices that the options allow.
template <class T>
std::vector<double> softmax(const view<T>& scores, const decoding::sampling& options) {
  detail::room_to_choose room;
  detail::weigh_choices("softmax", scores, options, room);
  const double sum = detail::sum_of(room.weights);
  for (double& weight : room.weights) weight /= sum;
  return room.weights;
}
template <class T>
std::vector<double> softmax(const view<T>& scores, double temperature = 1) {
  return softmax(scores, decoding::sampling{.temperature = temperature});
}
#define TENON_SENTENCE \
  "softmax takes the scores of one row, [D], got a batch of them; name the row: softmax(scores[row])"
template <TENON_SAYS_AND(TENON_SENTENCE) class T, int Rank>
requires(Rank > 1) std::vector<double> softmax(const view<T, Rank>&, const decoding::sampling&)
TENON_REFUSED(TENON_SENTENCE);
template <TENON_SAYS_AND(TENON_SENTENCE) class T, int Rank>
requires(Rank > 1) std::vector<double> softmax(const view<T, Rank>&, double = 1)
TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

// For numbers in memory, such as the result of softmax.
template <std::floating_point T>
int argmax(const std::vector<T>& scores) {
  return argmax(view<const T>(scores.data(), {scores.size()}));
}
template <std::floating_point T>
std::vector<decoding::scored_index<T>> top_k(const std::vector<T>& scores, std::integral auto k) {
  return top_k(view<const T>(scores.data(), {scores.size()}), k);
}

// Draws a choice by its probability. It uses one number of the stream: the same seed draws the same choices.
//   backend::random_stream random(1, 0);
//   const int word = sample(logits[row], random, {.temperature = 0.8, .top_k = 40});
template <class T>
int sample(const view<T>& scores, backend::random_stream& random, const decoding::sampling& options = {}) {
  detail::room_to_choose room;
  return detail::sample("sample", scores, random, options, room);
}

#define TENON_SENTENCE                                                                         \
  "sample takes the scores of one row and a stream of random numbers: backend::random_stream " \
  "random(1, 0); sample(logits[row], random); then options by their names in this "            \
  "order: " TENON_MEMBERS_OF_SAMPLING
template <TENON_SAYS_AND(TENON_SENTENCE) class T>
int sample(const view<T>&) TENON_REFUSED(TENON_SENTENCE);
template <TENON_SAYS_AND(TENON_SENTENCE) class T>
int sample(const view<T>&, std::integral auto) TENON_REFUSED(TENON_SENTENCE);
template <TENON_SAYS_AND(TENON_SENTENCE) class T>
int sample(const view<T>&, ...) TENON_REFUSED(TENON_SENTENCE);
template <TENON_SAYS_AND(TENON_SENTENCE) class T, int Rank>
requires(Rank > 1) int sample(const view<T, Rank>&, backend::random_stream&, const decoding::sampling& = {})
    TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

}  // namespace tenon::inline v0_1
