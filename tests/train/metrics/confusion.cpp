// The confusion matrix of classes, against values worked out by hand.
#include "tenon/train/metrics/confusion.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

namespace tenon::test {

TEST_CASE("accuracy, macro recall and macro F1, with classes that do not occur") {
  metric::confusion found(4);
  const int targets[]{0, 0, 0, 0, 1, 1, 3}, predicted[]{0, 0, 0, 1, 1, 2, 0};
  for (int k = 0; k < 7; ++k) found.add(targets[k], predicted[k]);
  CHECK(found.total() == 7);
  CHECK(found.count(0, 0) == 3);
  CHECK(found.count(0, 1) == 1);
  CHECK(found.count(1, 0) == 0);
  CHECK(found.count(1, 2) == 1);
  CHECK(found.count(3, 0) == 1);
  CHECK(found.accuracy() == doctest::Approx(4.0 / 7).epsilon(1e-12));
  // recalls 3/4, 1/2 and 0; class 2 was predicted but is never a target
  CHECK(found.macro_recall() == doctest::Approx(1.25 / 3).epsilon(1e-12));
  // F1 by class: 2*3 / (4 + 4), 2*1 / (2 + 2), 0 / (0 + 1), 0 / (1 + 0)
  CHECK(found.macro_f1() == doctest::Approx(1.25 / 4).epsilon(1e-12));
}

TEST_CASE("the counts as text, with the names of the classes") {
  metric::confusion found(2);
  for (int k = 0; k < 12; ++k) found.add(0, 0);
  found.add(1, 0);
  CHECK(found.table(std::vector<std::string>{"no", "yes"}) ==
        "      no  yes\n"
        " no   12    0\n"
        "yes    1    0\n");
  CHECK_THROWS_WITH_AS((void)found.table(std::vector{"no"}), "confusion: expected 2 names, got 1",
                       input_error);
}

TEST_CASE("a class that neither occurs nor is predicted has no say in F1") {
  metric::confusion found(3);
  found.add(0, 0);
  found.add(1, 0);
  found.add(1, 1);
  CHECK(found.macro_f1() == doctest::Approx(2.0 / 3).epsilon(1e-12));
}

TEST_CASE("without rows all are 0") {
  const metric::confusion found(3);
  CHECK(found.total() == 0);
  CHECK(found.accuracy() == 0);
  CHECK(found.macro_recall() == 0);
  CHECK(found.macro_f1() == 0);
}

TEST_CASE("a class outside the table is an error that names it, and changes nothing") {
  metric::confusion found(3);
  CHECK_THROWS_WITH_AS(found.add(1, 3), "confusion: class 1 taken for class 3; the classes are 0 to 2",
                       std::out_of_range);
  CHECK_THROWS_AS(found.add(-1, 0), std::out_of_range);
  CHECK_THROWS_AS(found.add(3, 0), std::out_of_range);
  CHECK_THROWS_AS(found.add(0, -1), std::out_of_range);
  CHECK_THROWS_AS((void)found.count(0, 3), std::out_of_range);
  CHECK(found.total() == 0);
  CHECK_THROWS_WITH_AS(
      metric::confusion(0),
      "confusion: expected at least 1 class, got 0; give the number of classes, as in metric::confusion(10)",
      input_error);
  CHECK_THROWS_AS(metric::confusion(-2), input_error);
}

}  // namespace tenon::test
