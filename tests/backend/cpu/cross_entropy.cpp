// Cross-entropy on the CPU backend against the reference in double.
#include "support/guarded_rows.hpp"
#include <tenon/backend/cpu/cross_entropy.hpp>
#include <tenon/backend/reference/cross_entropy.hpp>

#include <doctest/doctest.h>

using namespace tenon::backend;
using tenon::test::distance;
using tenon::test::guarded_rows;
using tenon::test::noise;

namespace {

template <int C, class T>
void check_classes(double size_of_logits) {
  constexpr int rows = 5;
  CAPTURE(C);
  CAPTURE(size_of_logits);
  noise random(C);
  const int targets[rows]{0, C - 1, -1, C / 2, 0};
  guarded_rows<T> logits(rows, C, C + 3), gradient(rows, C);
  logits.fill([&](int, int) { return size_of_logits * random(); });
  const std::vector<double> logits_ = logits.numbers();
  std::vector<double> gradient_(logits_.size());
  const T loss =
      cross_entropy<C>(cpu{}, rows, logits.data(), logits.stride, targets, T(0.25), gradient.data());
  const double loss_ =
      cross_entropy<C>(reference{}, rows, logits_.data(), C, targets, 0.25, gradient_.data());
  constexpr double near_enough = 16 * static_cast<double>(std::numeric_limits<T>::epsilon());
  CHECK(std::abs(static_cast<double>(loss) - loss_) <= near_enough * (size_of_logits + std::abs(loss_)));
  CHECK(distance(gradient, gradient_) <= near_enough);
  CHECK(gradient.intact());
}

}  // namespace

TEST_CASE_TEMPLATE("loss and gradient", T, float, double) {
  for (double size : {1.0, 200.0}) {
    check_classes<1, T>(size);
    check_classes<2, T>(size);
    check_classes<10, T>(size);
    check_classes<16, T>(size);
    check_classes<33, T>(size);
    check_classes<100, T>(size);
  }
}
