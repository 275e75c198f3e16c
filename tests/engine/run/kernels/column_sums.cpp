// Sums of gradients over rows: which vectors share a sum, which sums run together, and what is cleared before them, on schedules by hand; a
// backend that runs them together.
#include "tenon/engine/run/kernels/column_sums.hpp"

#include "tenon/backend/reference/reference.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

namespace tenon::inline v0_1::engine::detail {

namespace {

// Values 0 and 1 are buffers; 2, 3 and 4 are sums of value 0, 0 and 1 for the vectors 5, 6 and 7; 5 is an outer product of 1 and input 1.
constexpr schedule by_hand(phase of_last = phase::after) {
  schedule s;
  const auto value = [&](instruction i, place p) {
    s.equations.code.add(i);
    s.places.add(p);
  };
  value({.size = 4}, {.in = space::buffer, .index = 0, .column = 0, .stride = 12, .rows = domain::rows});
  value({.size = 8}, {.in = space::buffer, .index = 0, .column = 0, .stride = 12, .rows = domain::rows});
  const auto sum = [&](short of, int symbol, phase when) {
    value({.code = opcode::gradient_sum, .a = of, .first = symbol}, {});
    s.kernels.add({.kind = kernel_kind::gradient_sum, .when = when, .value = s.equations.code.size - 1});
  };
  sum(0, 5, phase::after);
  sum(0, 6, phase::after);
  sum(1, 7, of_last);
  value({.size = 3}, {.in = space::input, .index = 1, .rows = domain::rows});
  value({.code = opcode::gradient_outer, .a = 1, .b = 5, .first = 9}, {});
  s.kernels.add({.kind = kernel_kind::gradient_outer, .when = phase::after, .value = 6});
  s.carried.add({.input = 1, .output = 1});
  return s;
}
constexpr schedule together = by_hand(), apart = by_hand(phase::loop);
struct by_hand_together {
  static constexpr const schedule& value = together;
};

// A backend that computes sums together: it notes how many, and adds up row after row.
struct at_once : backend::reference {};
std::vector<int> sums_at_once;
template <class T>
void gradient_sums(at_once, int rows, int count, const backend::column_sums<T>* sums) {
  sums_at_once.push_back(count);
  for (int n = 0; n < count; ++n)
    for (int r = 0; r < rows; ++r)
      for (int j = 0; j < sums[n].width; ++j)
        for (T* to : {sums[n].to, sums[n].also})
          if (to != nullptr) to[j] += sums[n].g[r * sums[n].row + j];
}

// One sum for the two vectors that are added to value 0, by the first of their kernels.
constexpr auto shared = symbols_of_sum<8>(together, 0);
static_assert(shared.size == 2 && shared[0] == 5 && shared[1] == 6);
static_assert(symbols_of_sum<8>(together, 1).empty());
static_assert(symbols_of_sum<8>(together, 2).size == 1 && symbols_of_sum<8>(together, 2)[0] == 7);

// All three run over the same rows; the last of their kernels computes them, two vectors of one value at a time.
static_assert(sums_with(together, 0) == 3 && sums_with(apart, 0) == 2 && sums_with(apart, 2) == 1);
constexpr auto all = vectors_summed_with<8>(together, 2);
static_assert(all.size == 2 && all[0].symbol == 5 && all[0].also == 6 && all[0].width == 4);
static_assert(all[1].symbol == 7 && all[1].also == -1 && all[1].width == 8);
static_assert(vectors_summed_with<8>(together, 0).empty() && vectors_summed_with<8>(together, 1).empty());
static_assert(vectors_summed_with<8>(apart, 1).size == 1);

// Value 1 has all columns of value 0, which is therefore cleared with it, once.
static_assert(covers(together, 1, 0) && !covers(together, 0, 1) && covers(together, 0, 0));
static_assert(cleared_for(together, 0, 0) == 1);
static_assert(cleared_for(apart, 0, 0) == 1);  // by the outer product, in the same phase
static_assert(!is_cleared_before(together, 0, 0) && is_cleared_before(together, 1, 0));
static_assert(is_cleared_before(together, 2, 1));
static_assert(!is_cleared_before(apart, 2, 1));  // in another phase

// The second input is a state; the outer product reads it, and its padding is no step of the loop's.
static_assert(reads_state(together, 5) && !reads_state(together, 0));
static_assert(sums_rows(together.kernels[0]) && sums_rows(together.kernels[3]));
static_assert(!sums_rows({.kind = kernel_kind::gradient_sum, .of_table = true}) &&
              !sums_rows({.kind = kernel_kind::map}));

}  // namespace

TEST_CASE("all sums over the same rows in one call, each for the vectors that share it") {
  constexpr int rows = 3, steps = 4, first = 2, stride = 12;
  constexpr program_counts counts{.inputs = 2, .buffers = 1, .symbols = 10};
  static_assert(abilities_of<at_once, double>.gradient_sums);
  std::vector<double> buffer(rows * steps * stride);
  for (std::size_t k = 0; k < buffer.size(); ++k) buffer[k] = static_cast<double>(k % 17) - 6;
  std::vector<double> gradients[3]{{1, 2, 3, 4}, {5, 6, 7, 8}, {1, 1, 2, 2, 3, 3, 4, 4}};
  program_memory<double, counts> m{};
  m.batch = m.rows = rows;
  m.buffers[0] = buffer.data();
  std::vector<double> expected[3];
  for (int v = 0; v < 3; ++v) {
    auto& of = expected[v] = gradients[v];
    m.gradients[5 + v] = gradients[v].data();
    for (int row = first * rows; row < steps * rows; ++row)
      for (std::size_t j = 0; j < of.size(); ++j) of[j] += buffer[static_cast<std::size_t>(row * stride) + j];
  }
  repeat<3>(
      [&](auto k) { add_sums_together<by_hand_together, k, at_once>(m, first, (steps - first) * rows); });
  CHECK(sums_at_once == std::vector<int>{2});
  for (int v = 0; v < 3; ++v) CHECK(gradients[v] == expected[v]);
}

}  // namespace tenon::inline v0_1::engine::detail
