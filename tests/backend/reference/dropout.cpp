// Dropout against its formula: element i depends on word i of the stream, for any number of elements.
#include "support/guarded_rows.hpp"
#include <tenon/backend/reference/dropout.hpp>

#include <doctest/doctest.h>

using namespace tenon::backend;
using tenon::test::guarded_rows;

TEST_CASE_TEMPLATE("each element has a word of its own, and the rest is scaled", T, float, double) {
  for (int count : {1, 2, 3, 4, 5, 7, 8, 50})
    for (double rate : {0.0, 0.25, 0.5, 0.9}) {
      CAPTURE(count);
      CAPTURE(rate);
      guarded_rows<T> x(1, count), y(1, count);
      x.fill([](int, int i) { return i + 1; });
      dropout_elements(reference{}, count, rate, 3, 8, x.data(), y.data());
      random_stream words(3, 8);
      for (int i = 0; i < count; ++i) {
        const bool stays = uniform(words.word()) >= static_cast<float>(rate);
        CHECK(double(y(0, i)) == doctest::Approx(stays ? (i + 1) / (1 - rate) : 0).epsilon(1e-6));
      }
      CHECK(y.intact());
    }
}
