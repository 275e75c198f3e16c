// argmax, top_k, softmax and sample against sorting, a naive softmax in long double, and chi-square bounds.
#include "tenon/decode/choose.hpp"

#include "golden/golden.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

namespace tenon::test {

constexpr float infinity = std::numeric_limits<float>::infinity(),
                not_a_number = std::numeric_limits<float>::quiet_NaN();

view<const float> as_view(const std::vector<float>& scores) { return {scores.data(), {scores.size()}}; }

// The textbook's formula, without the shift: only for scores of moderate size.
std::vector<double> naive_softmax(const std::vector<float>& scores, double temperature = 1) {
  std::vector<long double> e;
  for (float x : scores) e.push_back(std::exp(static_cast<long double>(x) / temperature));
  const long double sum = std::accumulate(e.begin(), e.end(), 0.0L);
  std::vector<double> p;
  for (long double x : e) p.push_back(static_cast<double>(x / sum));
  return p;
}
// The positions from the largest score to the smallest: each comes after the larger ones, and after the equal
// ones before it.
std::vector<int> ranking(const std::vector<float>& scores) {
  std::vector<int> order(scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    std::size_t rank = 0;
    for (std::size_t j = 0; j < scores.size(); ++j)
      rank += scores[j] > scores[i] || (scores[j] == scores[i] && j < i);
    order[rank] = static_cast<int>(i);
  }
  return order;
}
std::vector<float> random_scores(std::size_t count, std::uint64_t seed) {
  backend::random_stream random(seed, 0);
  std::vector<float> scores;
  for (std::size_t i = 0; i < count; ++i) scores.push_back(static_cast<float>(random.uniform() * 6 - 3));
  return scores;
}
void check_equal(const std::vector<double>& got, const std::vector<double>& expected) {
  REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    CAPTURE(i);
    CHECK(got[i] == doctest::Approx(expected[i]).epsilon(1e-12));
  }
}

// 100,000 draws against their expected counts. Choices with probability 0 never occur. Chi-square may exceed its
// mean, the degrees of freedom, by five standard deviations plus ten: fewer than one seed in ten thousand would
// fail.
void check_draws(const std::vector<float>& scores, const decoding::sampling& options,
                 std::vector<double> expected) {
  constexpr int draws = 40'000;
  backend::random_stream random(17, 5);
  std::vector<long> counts(scores.size());
  for (int k = 0; k < draws; ++k)
    ++counts.at(static_cast<std::size_t>(sample(as_view(scores), random, options)));
  const double all = std::accumulate(expected.begin(), expected.end(), 0.0);
  double chi_square = 0;
  int degrees = -1;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double mean = draws * expected[i] / all;
    CAPTURE(i);
    if (mean == 0) CHECK(counts[i] == 0);
    if (mean == 0) continue;
    const double off = static_cast<double>(counts[i]) - mean;
    chi_square += off * off / mean;
    ++degrees;
  }
  CAPTURE(degrees);
  CHECK(chi_square < degrees + 5 * std::sqrt(2.0 * degrees) + 10);
}
// The probabilities of the scores that are kept, by rank.
std::vector<double> kept(std::vector<double> p, const std::vector<int>& order, std::size_t count) {
  for (std::size_t k = count; k < order.size(); ++k) p[std::size_t(order[k])] = 0;
  return p;
}

TEST_CASE("the largest score of each row, and of nothing else") {
  const auto scores = random_scores(5 * 7, 3);
  const view<const float> rows(scores.data(), {5, 7}), row(scores.data(), {7});
  const std::vector<int> found = argmax_each(rows);
  REQUIRE(found.size() == 5);
  for (std::size_t r = 0; r < 5; ++r) CHECK(found[r] == argmax(rows, r));
  CHECK(argmax_each(view<const float, 2>(scores.data(), {5, 7})) == found);
  CHECK(argmax_each(view<const float>(scores.data(), {0, 7})).empty());
  CHECK_THROWS_WITH_AS((void)argmax_each(row), "argmax_each: expected scores [rows, D], got rank 1",
                       input_error);
}
TEST_CASE("argmax is the first of the largest, row by row, and step by step") {
  const float scores[]{1, 3, 2, /**/ -5, -7, -6, /**/ 4, 4, 4, /**/ 0, 2, 2};
  const view<const float> v(scores, {4, 3}, {3, 1});
  const int expected[]{1, 0, 0, 1};
  for (int r = 0; r < 4; ++r) {
    CHECK(argmax(v, r) == expected[r]);
    CHECK(argmax(v, static_cast<std::size_t>(r)) == expected[r]);
    CHECK(argmax(v[r]) == expected[r]);
  }
  const view<const float> column(scores, {3, 2}, {1, 6});  // any strides: rows (1, 4), (3, 4), (2, 4)
  CHECK(argmax(column, 1) == 1);
  const view<const float> steps(scores, {2, 2, 3}, {3, 6, 1});  // [rows, time, D] of [time, rows, D]
  CHECK(argmax(steps[0][1]) == 0);
  CHECK(argmax(steps[1][1]) == 1);
  float memory[]{2, 5, 1};
  CHECK(argmax(view<float>(memory, {3})) == 1);
  const int whole[]{-4, -9, -2, -2};
  CHECK(argmax(view<const int>(whole, {4})) == 2);
}
TEST_CASE("top_k sorts from the largest on, equal scores by their number") {
  std::vector<float> scores = random_scores(50, 3);
  scores[7] = scores[30] = scores[2] = 10;
  scores[40] = -infinity;
  const std::vector<int> order = ranking(scores);
  for (int k : {1, 2, 3, 4, 17, 49, 50}) {
    const auto best = top_k(as_view(scores), k);
    REQUIRE(best.size() == static_cast<std::size_t>(k));
    for (std::size_t i = 0; i < best.size(); ++i) {
      CHECK(best[i].index == order[i]);
      CHECK(best[i].score == scores[static_cast<std::size_t>(order[i])]);
    }
  }
  const view<const float> every_fifth(scores.data(), {10}, {5});
  CHECK(top_k(every_fifth, std::size_t(1))[0].index == 6);  // scores[30]
  CHECK(top_k(every_fifth, 10L)[9].index == 8);             // scores[40]
  static_assert(std::is_same_v<decltype(top_k(every_fifth, 1)[0].score), float>);
}
TEST_CASE("softmax is that of the textbook, at every temperature") {
  const std::vector<float> scores = random_scores(23, 1);
  for (double temperature : {0.1, 0.5, 1.0, 3.0, 100.0})
    check_equal(softmax(as_view(scores), temperature), naive_softmax(scores, temperature));
  check_equal(softmax(as_view(scores)), naive_softmax(scores));

  const std::vector<float> memory = random_scores(24, 2);  // [rows, time, D] of [time, rows, D]
  const view<const float> steps(memory.data(), {2, 3, 4}, {4, 8, 1});
  check_equal(softmax(steps[1][2]), naive_softmax({memory.end() - 4, memory.end()}));
  const double wide[]{1, 2};
  check_equal(softmax(view<const double>(wide, {2})), {1 / (1 + std::exp(1.0)), 1 / (1 + std::exp(-1.0))});
}
TEST_CASE("numbers in memory are scores, too") {
  const std::vector<float> scores{0.5f, 2, -1, 2, infinity};
  CHECK(argmax(scores) == 4);
  const auto best = top_k(softmax(as_view({0.5f, 2, -1, 2})), 3);
  CHECK(best[0].index == 1);
  CHECK(best[1].index == 3);
  CHECK(best[2].index == 0);
  CHECK(best[2].score == doctest::Approx(naive_softmax({0.5f, 2, -1, 2})[0]));
  static_assert(std::is_same_v<decltype(best[0].score), double>);
  CHECK_THROWS_AS((void)argmax(std::vector<float>{}), input_error);
}
TEST_CASE("what temperature, top_k and top_p leave is what PyTorch leaves") {
  const auto file = golden::read("choices");
  const auto &scores = file["scores"], &options = file["options"], &expected = file["probabilities"];
  const auto cases = static_cast<std::size_t>(scores.shape[0]),
             choices = static_cast<std::size_t>(scores.shape[1]);
  for (std::size_t n = 0; n < cases; ++n) {
    CAPTURE(n);
    const decoding::sampling given{.temperature = options.values[3 * n],
                                   .top_k = static_cast<int>(options.values[3 * n + 1]),
                                   .top_p = options.values[3 * n + 2]};
    const auto got = softmax(view<const float>(scores.values.data() + n * choices, {choices}), given);
    for (std::size_t k = 0; k < choices; ++k)
      CHECK(got[k] == doctest::Approx(expected.values[n * choices + k]).epsilon(2e-6));
  }
}
TEST_CASE("softmax of large and of infinite scores") {
  check_equal(softmax(as_view({1e30f, 1e30f, -1e30f})), {0.5, 0.5, 0});
  check_equal(softmax(as_view({-1e30f}), 1e-300), {1});
  check_equal(softmax(as_view({0, -infinity, 0})), {0.5, 0, 0.5});
  check_equal(softmax(as_view({infinity, 0, infinity, -infinity})), {0.5, 0, 0.5, 0});
  check_equal(softmax(as_view({1, 1.000001f, 1}), 1e-300), {0, 1, 0});
}
TEST_CASE("sample draws by probability") {
  const std::vector<float> scores = random_scores(12, 4);
  check_draws(scores, {}, naive_softmax(scores));
  for (double temperature : {0.4, 2.5})
    check_draws(scores, {.temperature = temperature}, naive_softmax(scores, temperature));
  check_draws({0, -infinity, 1, -infinity}, {}, {1, 0, std::exp(1.0), 0});
  check_draws({-infinity, 3}, {}, {0, 1});
  check_draws({2}, {.top_k = 1, .top_p = 0.1}, {1});
}
TEST_CASE("sample draws from the k largest") {
  const std::vector<float> scores = random_scores(12, 5);
  const std::vector<double> p = naive_softmax(scores), sharp = naive_softmax(scores, 0.5);
  const std::vector<int> order = ranking(scores);
  for (int k : {1, 4, 11}) check_draws(scores, {.top_k = k}, kept(p, order, std::size_t(k)));
  for (int k : {0, 12, 40}) check_draws(scores, {.top_k = k}, p);
  check_draws(scores, {.temperature = 0.5, .top_k = 3}, kept(sharp, order, 3));
  check_draws({1, 2, 2, 2}, {.top_k = 2}, {0, 1, 1, 0});  // the first of equal scores
}
TEST_CASE("sample draws from the fewest that reach a probability") {
  const std::vector<float> scores{std::log(1.0f), std::log(4.0f), std::log(2.0f), std::log(1.0f)};
  const std::vector<double> all{1, 4, 2, 1}, two{0, 4, 2, 0}, three{1, 4, 2, 0};
  check_draws(scores, {.top_p = 1e-9}, {0, 1, 0, 0});
  check_draws(scores, {.top_p = 0.49}, {0, 1, 0, 0});
  check_draws(scores, {.top_p = 0.51}, two);
  check_draws(scores, {.top_p = 0.74}, two);
  check_draws(scores, {.top_p = 0.76}, three);
  check_draws(scores, {.top_p = 0.99}, all);
  // top_p is a fraction of the probabilities that top_k keeps: 4 / 6 are less than 0.7, and 4 / 7 more than 0.55
  check_draws(scores, {.top_k = 2, .top_p = 0.7}, two);
  check_draws(scores, {.top_k = 3, .top_p = 0.55}, {0, 1, 0, 0});
  check_draws(scores, {.temperature = 0.5, .top_p = 0.9}, {0, 16, 4, 0});
}
TEST_CASE("choices that reach top_p exactly are enough") {
  using shares = std::vector<double>;
  CHECK(softmax(as_view({0, 0}), decoding::sampling{.top_p = 0.5}) == shares{1, 0});
  CHECK(softmax(as_view({1, 1, 1, 1}), decoding::sampling{.top_p = 0.25}) == shares{1, 0, 0, 0});
  CHECK(softmax(as_view({1, 1, 1, 1}), decoding::sampling{.top_p = 0.5}) == shares{0.5, 0.5, 0, 0});
}
TEST_CASE("the same seed draws the same, of any strides, one number a draw") {
  const std::vector<float> memory = random_scores(40, 6);
  std::vector<float> column;
  for (std::size_t i = 0; i < 10; ++i) column.push_back(memory[4 * i + 1]);
  const view<const float> strided(memory.data() + 1, {10}, {4});
  backend::random_stream one(3, 0), other(3, 0), third(4, 0), counted(3, 0);
  int different = 0;
  for (int k = 0; k < 200; ++k) {
    const decoding::sampling options{.temperature = 1.5, .top_k = k % 10, .top_p = k % 3 == 0 ? 1 : 0.9};
    const int drawn = sample(as_view(column), one, options);
    CHECK(sample(strided, other, options) == drawn);
    different += sample(strided, third, options) != drawn;
    (void)counted.word();
  }
  CHECK(different > 50);
  CHECK(one.word() == counted.word());
}
TEST_CASE("without scores, of another rank, and what is not a number") {
  backend::random_stream random(1, 0);
  const std::vector<float> numbers{1, 2, not_a_number, 3, 4, 5};
  const view<const float> with_nan = as_view(numbers), rows(numbers.data(), {2, 3}),
                          first(numbers.data(), {2}), none(numbers.data(), {0}), nothing;
  const auto each = [&](const view<const float>& v, const char* what) {
    CAPTURE(what);
    CHECK_THROWS_WITH_AS((void)argmax(v), (std::string("argmax: ") + what).c_str(), input_error);
    CHECK_THROWS_WITH_AS((void)top_k(v, 1), (std::string("top_k: ") + what).c_str(), input_error);
    CHECK_THROWS_WITH_AS((void)softmax(v), (std::string("softmax: ") + what).c_str(), input_error);
    CHECK_THROWS_WITH_AS((void)sample(v, random), (std::string("sample: ") + what).c_str(), input_error);
  };
  each(with_nan, "the score of 2 is not a number");
  each(none, "there are no scores");
  each(nothing, "expected the scores of one row, [D], got rank 0");
  each(rows, "expected the scores of one row, [D], got rank 2; scores[row] is one row");
  CHECK_THROWS_WITH_AS((void)argmax(rows, 0), "argmax: the score of 2 is not a number", input_error);
  CHECK(argmax(rows, 1) == 2);
  CHECK_THROWS_WITH_AS((void)argmax(rows, 2), "argmax: row 2 is outside the 2 rows", input_error);
  CHECK_THROWS_WITH_AS((void)argmax(rows, -1), "argmax: row -1 is outside the 2 rows", input_error);
  CHECK_THROWS_WITH_AS((void)argmax(first, 0), "argmax: expected scores [rows, D] and a row, got rank 1",
                       input_error);
  CHECK_THROWS_WITH_AS((void)argmax(view<const float>(first.data(), {1, 1, 1}), 0),
                       "argmax: expected scores [rows, D] and a row, got rank 3; of [rows, time, D] write "
                       "argmax(scores[row][step])",
                       input_error);
}
TEST_CASE("arguments that mean nothing") {
  backend::random_stream random(1, 0);
  const std::vector<float> numbers{1, 2, 3}, masked{-infinity, -infinity};
  const view<const float> v = as_view(numbers);
  CHECK_THROWS_WITH_AS((void)top_k(v, 4), "top_k: expected from 1 to 3 of the scores, got 4", input_error);
  CHECK_THROWS_WITH_AS((void)top_k(v, 0), "top_k: expected from 1 to 3 of the scores, got 0", input_error);
  CHECK_THROWS_WITH_AS((void)top_k(v, -1), "top_k: expected from 1 to 3 of the scores, got -1", input_error);
  CHECK_THROWS_WITH_AS((void)sample(v, random, {.temperature = 0}),
                       "sample: expected a finite temperature above 0, got 0.000000", input_error);
  CHECK_THROWS_WITH_AS((void)softmax(v, -2), "softmax: expected a finite temperature above 0, got -2.000000",
                       input_error);
  CHECK_THROWS_AS((void)sample(v, random, {.temperature = not_a_number}), input_error);
  CHECK_THROWS_AS((void)sample(v, random, {.temperature = infinity}), input_error);
  CHECK_THROWS_WITH_AS((void)sample(v, random, {.top_k = -1}),
                       "sample: expected a top_k of at least 0, got -1", input_error);
  CHECK_THROWS_WITH_AS((void)sample(v, random, {.top_p = 0}),
                       "sample: expected a top_p above 0 and at most 1, got 0.000000", input_error);
  CHECK_THROWS_AS((void)sample(v, random, {.top_p = 1.5}), input_error);
  CHECK_THROWS_AS((void)sample(v, random, {.top_p = not_a_number}), input_error);
  CHECK_THROWS_WITH_AS((void)softmax(as_view(masked)),
                       "softmax: every score is minus infinity, so there is nothing to choose from",
                       input_error);
  CHECK_THROWS_AS((void)sample(as_view(masked), random), input_error);
  CHECK(argmax(as_view(masked)) == 0);
}

}  // namespace tenon::test
