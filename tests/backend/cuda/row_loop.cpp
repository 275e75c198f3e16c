// A loop of a map and a product in one kernel, in the emulation of blocks and threads, against the same steps written out in double.
#include "tenon/backend/cuda/row_loop.hpp"

#include "support/guarded_rows.hpp"
#include "support/worse.hpp"
#include "tenon/backend/cuda/cuda.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace tenon::test {

// g = carried times x
template <int Width>
struct carried_times_x {
  static constexpr ir::map_body body = [] {
    ir::map_body b;
    b.width = Width;
    b.loads.add({});
    b.loads.add({});
    b.code.add({.code = ir::opcode::input, .first = 0, .size = Width});
    b.code.add({.code = ir::opcode::input, .first = 1, .size = Width});
    b.code.add({.code = ir::opcode::multiply, .a = 0, .b = 1, .size = Width});
    b.stores.add({.local = 2});
    return b;
  }();
};

struct row_loop_case {
  int rows, steps, first;
  bool has_lengths, backwards, keeps_all;
};

template <class T>
std::vector<T> drawn(noise& random, int count) {
  std::vector<T> numbers(static_cast<std::size_t>(count));
  for (T& number : numbers) number = T(random());
  return numbers;
}

// A row passes g w on to the next step; a row that has ended keeps its value.
template <int Width, class T>
void check_row_loop(const row_loop_case& c) {
  CAPTURE(Width);
  CAPTURE(c.rows);
  CAPTURE(c.steps);
  CAPTURE(c.has_lengths);
  const int row = Width, step = c.rows * Width, behind = c.first + c.steps;
  noise random(std::uint64_t(Width * 1000 + c.rows));
  const std::vector<T> begin = drawn<T>(random, step), x = drawn<T>(random, c.steps * step),
                       w = drawn<T>(random, Width * Width);
  std::vector<int> lengths;
  for (int r = 0; r < c.rows; ++r) lengths.push_back((behind + r) % (behind + 1));

  constexpr T untouched = 99;
  const auto size = static_cast<std::size_t>(behind * step);
  std::vector<T> found(size, untouched), gates(size, untouched), left(size, untouched);
  const backend::row_state<T> state{.column = 0,
                                    .features = Width,
                                    .begin = begin.data(),
                                    .next = found.data(),
                                    .step = step,
                                    .adjoint = left.data(),
                                    .adjoint_step = step,
                                    .parity_step = 0,
                                    .keeps_all = c.keeps_all};
  const backend::row_load<T> loads[]{{nullptr, 0, 0, 0}, {x.data(), row, step, -1}};
  const backend::row_store<T> stores[]{{gates.data(), row, step, 2 * Width}};
  const backend::row_product<T> products[]{{w.data(), 2 * Width, Width}};
  row_loop<backend::row_shape<Width, 3 * Width>, backend::row_map<carried_times_x<Width>>,
           backend::row_transposed<Width, Width>>(
      backend::cuda{}, backend::row_loop_memory<T>{{c.first, c.steps, c.backwards},
                                                   c.rows,
                                                   c.has_lengths ? lengths.data() : nullptr,
                                                   1,
                                                   &state,
                                                   loads,
                                                   stores,
                                                   products});

  std::vector<double> carried(begin.begin(), begin.end());
  const double bound = 64 * Width * double(std::numeric_limits<T>::epsilon());
  const auto at = [&](const std::vector<T>& numbers, int t, int r, int j) {
    return double(numbers[static_cast<std::size_t>(t * step + r * row + j)]);
  };
  double error = 0, passed_over = 0;
  const auto compare = [&](double got, double expected) {
    const double difference = std::abs(got - expected);
    error = worse(error, difference);
  };
  for (int n = 0; n < c.steps; ++n) {
    const int t = c.backwards ? c.steps - 1 - n : n;
    for (int r = 0; r < c.rows; ++r) {
      const bool ended = c.has_lengths && c.first + t >= lengths[static_cast<std::size_t>(r)];
      double* const of_row = carried.data() + r * row;
      double g[Width];
      for (int j = 0; j < Width; ++j) {
        compare(at(found, t, r, j), ended ? 0 : of_row[j]);
        g[j] = ended ? 0 : of_row[j] * at(x, t, r, j);
        compare(at(gates, t, r, j), g[j]);
      }
      for (int k = 0; k < Width && !ended; ++k) {
        of_row[k] = 0;
        for (int j = 0; j < Width; ++j)
          of_row[k] += g[j] * double(w[static_cast<std::size_t>(j * Width + k)]);
      }
      const bool is_kept = c.keeps_all || n + 1 == c.steps;
      for (int j = 0; j < Width; ++j) {
        const double got = at(left, c.first + t, r, j);
        if (is_kept) compare(got, of_row[j]);
        else if (!c.has_lengths) passed_over += got != double(untouched);
      }
    }
  }
  CHECK(error <= bound);
  CHECK(passed_over == 0);
}

template <int Width, class T>
void check_row_loops() {
  for (const bool has_lengths : {false, true})
    for (const bool backwards : {false, true}) {
      check_row_loop<Width, T>({1, 1, 0, has_lengths, backwards, false});
      check_row_loop<Width, T>({5, 4, 3, has_lengths, backwards, true});
      check_row_loop<Width, T>({7, 3, 0, has_lengths, backwards, false});
    }
}

TEST_CASE("one unit, some, and more than a warp has threads") {
  check_row_loops<1, float>();
  check_row_loops<7, double>();
  check_row_loops<40, float>();
}
TEST_CASE("more units than a block has lanes") { check_row_loop<600, float>({2, 2, 0, true, true, false}); }
TEST_CASE("many rows: several in a block") {
  check_row_loop<5, float>({131, 3, 1, true, true, true});
  check_row_loop<5, double>({130, 2, 0, false, false, false});
}

}  // namespace tenon::test
