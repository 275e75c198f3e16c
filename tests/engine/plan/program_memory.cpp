// The addresses of a program: each has a place of its own, and there are as many as its counts say.
#include "tenon/engine/plan/program_memory.hpp"

#include <doctest/doctest.h>

namespace tenon::inline v0_1::engine {

namespace {

constexpr program_counts counts{.inputs = 2, .outputs = 3, .buffers = 5, .symbols = 7, .kernels = 11};
static_assert(!counts.by_sequence, "all sequences together, unless it says so");

// Every address is the place of another number.
constexpr bool has_places_of_their_own() {
  double numbers[2 + 3 + 5 + 2 * 7 + 11]{};
  program_memory<double, counts> m{};
  const auto each = [&](auto f) {
    int k = 0;
    for (int i = 0; i < counts.inputs; ++i) f(m.in[i].data, &numbers[k++]);
    for (int o = 0; o < counts.outputs; ++o) f(m.out[o].data, &numbers[k++]);
    for (int b = 0; b < counts.buffers; ++b) f(m.buffers[b], &numbers[k++]);
    for (int s = 0; s < counts.symbols; ++s) f(m.symbols[s], &numbers[k++]);
    for (int s = 0; s < counts.symbols; ++s) f(m.gradients[s], &numbers[k++]);
    for (int w = 0; w < counts.kernels; ++w) f(m.packed[w], &numbers[k++]);
    return k;
  };
  bool all = true;
  const int given = each([](auto& address, double* number) { address = number; });
  each([&](const auto& address, const double* number) { all = all && address == number; });
  return all && given == 35;
}
static_assert(has_places_of_their_own());

}  // namespace

TEST_CASE("a source reads the same rows as the place that was written") {
  double number = 13;
  const operand<const double> source = as_source(operand<double>{&number, 5, 7});
  CHECK(source.data == &number);
  CHECK(source.row == 5);
  CHECK(source.step == 7);
}

}  // namespace tenon::inline v0_1::engine
