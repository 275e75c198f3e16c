// Criteria: the equation of each loss at one position, run by the interpreter, against the formulas in their textbook form.
#include "tenon/nn/criterion.hpp"

#include "support/interpret.hpp"
#include "tenon/equation/trace.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

namespace tenon::test {

namespace {

// The value of an equation at one position, and the position's count.
struct at_position {
  row loss{}, count{};
};
template <class Criterion>
at_position position(const row& y, const row& target) {
  const traced t = trace_at<Criterion>(sizes{int(y.size()), int(target.size())});
  REQUIRE_FALSE(t.wrong);
  std::vector<steps> inputs{{y}, {target}};
  for (const own_number& own : t.equations.own) {  // inputs that it requests itself: the numbers of classes
    REQUIRE(own.kind == own_input::count);
    row& numbers = inputs.emplace_back(1)[0];
    for (int k = 0; k < t.equations.inputs[int(inputs.size()) - 1]; ++k) numbers.push_back(k);
  }
  const interpretation run = interpret(t.equations, inputs, {});
  at_position all{run.output(t.equations, 0)[0], {}};
  if (t.names.size > 0) all.count = run.output(t.equations, 1)[0];
  return all;
}
// -log softmax(y)[c]
double cross_entropy_of(const row& y, int c) {
  double sum = 0;
  for (double v : y) sum += std::exp(v);
  return std::log(sum) - y[std::size_t(c)];
}
double only(const row& r) {
  REQUIRE(r.size() == 1);
  return r[0];
}

const row logits{0.3, -1.2, 2.1, 0.4};

}  // namespace

TEST_CASE("of numbers: each feature by itself") {
  for (double y : {-2.0, -0.3, 0.0, 0.7, 3.0})
    for (double t : {0.0, 0.25, 1.0}) {
      CAPTURE(y);
      CAPTURE(t);
      CHECK(only(position<criterion::squared_error>({y}, {t}).loss) == doctest::Approx((y - t) * (y - t)));
      CHECK(only(position<criterion::absolute_error>({y}, {t}).loss) == doctest::Approx(std::abs(y - t)));
      const double d = std::abs(y - t), sigmoid = 1 / (1 + std::exp(-y));
      CHECK(only(position<criterion::huber<0.5>>({y}, {t}).loss) ==
            doctest::Approx(d <= 0.5 ? d * d / 2 : 0.5 * d - 0.125));
      CHECK(only(position<criterion::bce_with_logits>({y}, {t}).loss) ==
            doctest::Approx(-t * std::log(sigmoid) - (1 - t) * std::log(1 - sigmoid)));
    }
  CHECK(position<criterion::squared_error>({1, 2}, {0, 5}).loss == row{1, 9});
}

TEST_CASE("of classes: a position without a target counts nothing") {
  const row log_p{-0.5, -1.5, -3.0};
  for (int c = 0; c < 3; ++c) {
    const at_position nll = position<criterion::negative_log_likelihood>(log_p, {double(c)});
    CHECK(only(nll.loss) == doctest::Approx(-log_p[std::size_t(c)]));
    CHECK(only(nll.count) == 1);
  }
  CHECK(only(position<criterion::negative_log_likelihood>(log_p, {-1}).count) == 0);
  CHECK(only(position<criterion::cross_entropy<>>(logits, {-1}).count) == 0);
  CHECK(only(position<criterion::cross_entropy<>>(logits, {-1}).loss) == 0);
  CHECK(only(position<criterion::multi_margin<1>>(logits, {-1}).count) == 0);
}

TEST_CASE("a margin: of each other class what it lacks") {
  const row got = position<criterion::multi_margin<0.5>>({1, 0.8, -2}, {0}).loss;
  REQUIRE(got.size() == 3);
  CHECK(got[0] == 0);
  CHECK(got[1] == doctest::Approx(0.3));  // 0.8 - 1 + 0.5
  CHECK(got[2] == 0);
}

TEST_CASE("cross-entropy and its options") {
  for (int c = 0; c < 4; ++c) {
    const row target{double(c)};
    CAPTURE(c);
    CHECK(only(position<criterion::cross_entropy<>>(logits, target).loss) ==
          doctest::Approx(cross_entropy_of(logits, c)));
    double all = 0, weighted = 0;
    const double w[]{1, 2.5, 0.5, 3};
    for (int k = 0; k < 4; ++k) {
      all += cross_entropy_of(logits, k) / 4;
      weighted += w[k] * cross_entropy_of(logits, k) / 4;
    }
    CHECK(only(position<criterion::cross_entropy<losses::label_smoothing<0.2>>>(logits, target).loss) ==
          doctest::Approx(0.8 * cross_entropy_of(logits, c) + 0.2 * all));
    const at_position both = position<
        criterion::cross_entropy<losses::class_weights<1, 2.5, 0.5, 3>, losses::label_smoothing<0.2>>>(
        logits, target);
    CHECK(only(both.loss) == doctest::Approx(0.8 * w[c] * cross_entropy_of(logits, c) + 0.2 * weighted));
    CHECK(only(both.count) == w[c]);
    CHECK(only(position<criterion::cross_entropy<losses::ignored<2>>>(logits, target).count) ==
          (c == 2 ? 0 : 1));
  }
}

namespace {
template <class Classes>
struct one_in_ten;
template <int... C>
struct one_in_ten<std::integer_sequence<int, C...>> {
  using type = criterion::cross_entropy<losses::class_weights<(C % 10 == 0 ? 2 : 1)...>>;
};
}  // namespace

TEST_CASE("weights of many classes") {
  constexpr int classes = 300;
  using many = typename one_in_ten<std::make_integer_sequence<int, classes>>::type;
  CHECK_FALSE(trace_at<many>(sizes{classes, 1}).wrong);
}
TEST_CASE("as many weights as classes") {
  const traced t = trace_at<criterion::cross_entropy<losses::class_weights<1, 2>>>(sizes{4, 1});
  CHECK(t.wrong.rule == "cross_entropy has a weight for each class:");
  CHECK(t.wrong.expected == 4);
  CHECK(t.wrong.got == 2);
}

}  // namespace tenon::test
