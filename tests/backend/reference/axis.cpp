// Kernels along an axis, each against its definition on lists: the steps of a row are a list that ends where the row does.
#include <tenon/backend/reference/axis.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tenon::test {

using backend::reference;
using number_row = std::vector<double>;    // features
using sequence = std::vector<number_row>;  // of a row, to its end

constexpr int steps = 5, rows = 4, features = 3;
constexpr int lengths[]{3, 0, 5, 1};
constexpr double unset = -77;

// [steps, rows, features], with a gap after each row and each step.
struct block {
  static constexpr std::ptrdiff_t row = features + 2, step = rows * row + 1;
  std::vector<double> data = std::vector<double>(steps * step, unset);

  double& operator()(int t, int r, int j) { return data[std::size_t(t * step + r * row + j)]; }
  backend::operand<const double> loads() const { return {data.data(), row, step}; }
  backend::operand<double> stores() { return {data.data(), row, step}; }
  // The first `end` steps of row r.
  sequence list(int r, int end) {
    sequence all;
    for (int t = 0; t < end; ++t) {
      all.emplace_back();
      for (int j = 0; j < features; ++j) all.back().push_back((*this)(t, r, j));
    }
    return all;
  }
  // Are the gaps unchanged?
  bool has_gaps() const {
    const auto gaps = std::count(data.begin(), data.end(), unset);
    return gaps == steps * step - steps * rows * features;
  }
};
block some() {
  block b;
  for (int t = 0; t < steps; ++t)
    for (int r = 0; r < rows; ++r)
      for (int j = 0; j < features; ++j) b(t, r, j) = std::sin(1 + 7 * t + 3 * r + 11 * j) * 3 - 1;
  return b;
}
int end_of(int r, bool all_whole) { return all_whole ? steps : lengths[r]; }

TEST_CASE("the softmax of each column is exp(x) over the sum of them, up to the end") {
  for (const bool all_whole : {false, true})
    for (const double shift : {0.0, 700.0}) {  // 700: exp is near the largest number
      std::vector<double> scores(steps * rows * 2), weights(scores.size(), unset);
      for (std::size_t k = 0; k < scores.size(); ++k) scores[k] = std::cos(double(3 * k)) * 4 + shift;
      backend::axis_softmax<2>(reference{}, steps, rows, all_whole ? nullptr : lengths, scores.data(),
                               weights.data());
      for (int c = 0; c < rows * 2; ++c) {
        const int end = end_of(c / 2, all_whole);
        long double sum = 0;
        for (int t = 0; t < end; ++t)
          sum += std::exp(static_cast<long double>(scores[std::size_t(t * rows * 2 + c)]));
        for (int t = 0; t < steps; ++t) {
          const auto k = std::size_t(t * rows * 2 + c);
          const long double expected = t < end ? std::exp(static_cast<long double>(scores[k])) / sum : 0;
          CHECK(std::abs(weights[k] - double(expected)) < 1e-13);
        }
      }
    }
}

TEST_CASE("the weighted sum of a row is a product of a vector and a matrix") {
  block values = some();
  std::vector<double> weights(steps * rows), out(rows * 4, unset);
  for (std::size_t k = 0; k < weights.size(); ++k) weights[k] = std::sin(double(k));
  backend::weighted_sum<features>(reference{}, steps, rows, weights.data(), values.loads(), out.data(), 4);
  for (int r = 0; r < rows; ++r) {
    number_row expected(features);
    for (int t = steps; t-- > 0;)  // from the other end
      for (int j = 0; j < features; ++j)
        expected[std::size_t(j)] += weights[std::size_t(t * rows + r)] * values(t, r, j);
    for (int j = 0; j < features; ++j)
      CHECK(std::abs(out[std::size_t(r * 4 + j)] - expected[std::size_t(j)]) < 1e-13);
    CHECK(out[std::size_t(r * 4 + 3)] == unset);
  }
}

TEST_CASE("the maximum of a list, and of none 0") {
  for (const bool all_whole : {false, true}) {
    block values = some();
    std::vector<double> out(rows * 4, unset);
    backend::axis_max<features>(reference{}, steps, rows, all_whole ? nullptr : lengths, values.loads(),
                                out.data(), 4);
    for (int r = 0; r < rows; ++r)
      for (int j = 0; j < features; ++j) {
        number_row column;
        for (const number_row& one : values.list(r, end_of(r, all_whole)))
          column.push_back(one[std::size_t(j)]);
        CHECK(out[std::size_t(r * 4 + j)] ==
              (column.empty() ? 0 : *std::max_element(column.begin(), column.end())));
      }
  }
}

TEST_CASE("steps are moved along the list, and what comes in is zeros") {
  for (const bool all_whole : {false, true})
    for (int by = -6; by <= 6; ++by) {
      block in = some(), out;
      backend::shift<features>(reference{}, by, steps, rows, all_whole ? nullptr : lengths, in.loads(),
                               out.stores());
      CHECK(out.has_gaps());
      for (int r = 0; r < rows; ++r) {
        sequence list = in.list(r, end_of(r, all_whole));
        list.resize(steps, number_row(features));  // zeros past the end
        const number_row zeros(features);
        for (int k = 0; k < by; ++k) {
          list.insert(list.begin(), zeros);
          list.pop_back();
        }
        for (int k = 0; k > by; --k) {
          list.erase(list.begin());
          list.push_back(zeros);
        }
        CHECK(out.list(r, steps) == list);
      }
    }
}

TEST_CASE("a list is turned round, and keeps its end") {
  for (const bool all_whole : {false, true}) {
    block in = some(), out, again;
    const int* const ends = all_whole ? nullptr : lengths;
    backend::flip<features>(reference{}, steps, rows, ends, in.loads(), out.stores());
    backend::flip<features>(reference{}, steps, rows, ends, out.loads(), again.stores());
    CHECK(out.has_gaps());
    for (int r = 0; r < rows; ++r) {
      sequence list = in.list(r, end_of(r, all_whole));
      CHECK(again.list(r, end_of(r, all_whole)) == list);
      std::reverse(list.begin(), list.end());
      list.resize(steps, number_row(features));
      CHECK(out.list(r, steps) == list);
    }
  }
}

}  // namespace tenon::test
