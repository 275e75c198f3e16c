// Cross-entropy on both backends against the textbook's form in long double, which is written only here: an oracle
// that shares a line with the code under test cannot find an error in that line.
#include "support/guarded_rows.hpp"
#include <tenon/backend/cpu/cross_entropy.hpp>
#include <tenon/backend/reference/cross_entropy.hpp>

#include <doctest/doctest.h>

using namespace tenon::backend;
using tenon::test::distance;
using tenon::test::guarded_rows;
using tenon::test::noise;

namespace {

// -log(exp(x[target]) / sum_c exp(x[c])) of each row with a target. Logits may differ by 11,000 at most.
struct textbook {
  long double loss = 0;
  std::vector<double> gradient;

  template <class Rows>
  textbook(const Rows& logits, const int* targets, long double scale) {
    for (int r = 0; r < logits.rows; ++r) {
      long double total = 0;
      const auto power = [&](int c) {  // of the difference from the first logit: the quotient is the same
        return std::exp(static_cast<long double>(logits(r, c)) - static_cast<long double>(logits(r, 0)));
      };
      for (int c = 0; c < logits.width; ++c) total += power(c);
      if (targets[r] >= 0) loss -= std::log(power(targets[r]) / total);
      for (int c = 0; c < logits.width; ++c)
        gradient.push_back(
            targets[r] < 0 ? 0 : static_cast<double>(scale * (power(c) / total - (c == targets[r] ? 1 : 0))));
    }
  }
};

template <int C, class Backend, class T>
void check_classes(double size_of_logits, double all_higher_by) {
  constexpr int rows = 5;
  CAPTURE(C);
  CAPTURE(size_of_logits);
  CAPTURE(all_higher_by);
  noise random(C);
  const int targets[rows]{0, C - 1, -1, C / 2, 0};
  guarded_rows<T> logits(rows, C, C + 3), gradient(rows, C);
  logits.fill([&](int, int) { return size_of_logits * random() + all_higher_by; });
  const textbook expected(logits, targets, 0.25L);
  const double loss =
      sum_cross_entropy<C>(Backend{}, rows, logits.data(), logits.stride, targets, T(0.25), gradient.data());
  constexpr double near_enough = 4 * static_cast<double>(std::numeric_limits<T>::epsilon());
  CHECK(std::abs(loss - double(expected.loss)) <= near_enough * double(expected.loss));
  CHECK(distance(gradient, expected.gradient) <= near_enough);
  CHECK(gradient.intact());
}

template <class Backend, class T>
struct machine {
  using backend = Backend;
  using scalar = T;
};

}  // namespace

TEST_CASE_TEMPLATE("loss and gradient, of small logits, of large ones, and of large ones that hardly differ",
                   M, machine<cpu, float>, machine<cpu, double>, machine<reference, float>,
                   machine<reference, double>) {
  using B = typename M::backend;
  using T = typename M::scalar;
  for (double size : {1.0, 200.0})
    for (double more : {0.0, -1e4, 1e4, 1e7}) {
      check_classes<1, B, T>(size, more);
      check_classes<2, B, T>(size, more);
      check_classes<10, B, T>(size, more);
      check_classes<16, B, T>(size, more);
      check_classes<33, B, T>(size, more);
      check_classes<100, B, T>(size, more);
    }
}

TEST_CASE_TEMPLATE("two equal logits have a loss of log 2, however large they are", B, cpu, reference) {
  const int targets[]{1};
  for (float x : {0.0f, 1e4f, -1e4f, 1e7f, 1e8f, 1e30f, -3e38f}) {
    CAPTURE(x);
    const float logits[]{x, x};
    float gradient[2];
    CHECK(std::abs(sum_cross_entropy<2>(B{}, 1, logits, 2, targets, 1.0f, gradient) - 0.6931471805599453) <=
          1e-9);
    CHECK(gradient[0] == 0.5f);
    CHECK(gradient[1] == -0.5f);
  }
}

TEST_CASE_TEMPLATE("the loss of a million rows is right to 1e-7", B, cpu, reference) {
#ifdef __OPTIMIZE__
  constexpr int rows = 1'000'000;
#else
  constexpr int rows = 100'000;  // with the sanitizers a million take half a minute; an error of 1e-7 shows here, too
#endif
  noise random(4);
  guarded_rows<float> logits(rows, 3), gradient(rows, 3);
  std::vector<int> targets;
  for (int r = 0; r < rows; ++r) targets.push_back(r % 3);
  for (const bool equal : {true, false}) {  // equal rows are all rounded in the same way
    CAPTURE(equal);
    logits.fill([&](int, int c) { return equal ? 0.1 * c : random(); });
    const long double expected = textbook(logits, targets.data(), 1).loss;
    const double loss = sum_cross_entropy<3>(B{}, rows, logits.data(), 3, targets.data(), 1.0f, gradient.data());
    CHECK(std::abs(loss / static_cast<double>(expected) - 1) <= 1e-7);
  }
}
