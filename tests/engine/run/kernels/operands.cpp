// Where the rows of an operand are: counted by hand in arrays of whole numbers.
#include "tenon/engine/run/kernels/operands.hpp"

#include "tenon/backend/reference/reference.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace tenon::inline v0_1::engine::detail {

namespace {

constexpr program_counts counts{.inputs = 2, .outputs = 1, .buffers = 1, .symbols = 1};
using memory = program_memory<int, counts>;

// Rows of 5 numbers for 3 rows at 4 steps; each number is 100 step + 10 row + column.
constexpr int steps = 4, rows = 3, width = 5;
std::vector<int> numbered() {
  std::vector<int> all;
  for (int t = 0; t < steps; ++t)
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < width; ++c) all.push_back(100 * t + 10 * r + c);
  return all;
}
operand<int> whole(std::vector<int>& of) { return {of.data(), width, rows * width}; }
int at(const auto& b, int t, int r) { return b.data[t * b.step + r * b.row]; }

}  // namespace

TEST_CASE("a place begins at its column and at the step; only along its axes it goes on") {
  std::vector<int> numbers = numbered();
  const operand<int> all = whole(numbers);
  const operand<int> in_time = rows_of<dimension::time>(all, {.column = 2, .rows = domain::rows}, 1);
  CHECK(at(in_time, 0, 0) == 102);
  CHECK(at(in_time, 2, 1) == 312);
  // the same row at every step
  const operand<int> once = rows_of<dimension::time>(all, {.column = 4, .rows = domain::batch}, 3);
  CHECK(at(once, 0, 2) == 24);
  CHECK(once.step == 0);
  // along the inner axis a value of both axes stays at its step, and its rows are those of the inner axis
  const operand<int> inside = rows_of<dimension::inner>(all, {.rows = domain::both}, 2);
  CHECK(at(inside, 0, 0) == 200);
  CHECK(inside.step == all.step);
  CHECK(rows_of<dimension::inner>(all, {.rows = domain::rows}, 2).step == 0);
}

TEST_CASE("a place is in an input, an output, a buffer or a parameter") {
  std::vector<int> first = numbered(), second(first.size(), 7), output(first.size(), 8), buffer = numbered();
  const int parameter[]{41, 42};
  memory m{};
  m.batch = rows;
  m.in[0] = {first.data(), width, rows * width};
  m.in[1] = {second.data(), width, rows * width};
  m.out[0] = whole(output);
  m.buffers[0] = buffer.data();
  m.symbols[0] = parameter;
  m.first_step = 1;  // the buffer has rows from this step on
  const auto of = [&](space in, int index) {
    return source<dimension::time>(
        m, {.in = in, .index = index, .column = 1, .stride = width, .rows = domain::rows}, 2);
  };
  CHECK(at(of(space::input, 0), 1, 2) == 321);
  CHECK(at(of(space::input, 1), 0, 0) == 7);
  CHECK(at(of(space::output, 0), 0, 0) == 8);
  CHECK(at(of(space::buffer, 0), 0, 2) == 121);  // step 2 is the buffer's second
  CHECK(at(of(space::parameter, 0), 5, 5) == 41);
  CHECK(target<dimension::time>(m, {.in = space::buffer, .stride = width, .rows = domain::rows}, 2).data ==
        buffer.data() + rows * width);
  CHECK(target<dimension::time>(m, {.in = space::output, .rows = domain::rows}, 2).data ==
        output.data() + 2 * rows * width);
}

TEST_CASE("padding is cleared in the program's own values only") {
  const int lengths[]{2, 4, 0};
  const auto cleared = [&](space in, bool is_own) {
    std::vector<int> numbers = numbered();
    memory m{};
    m.batch = rows;
    m.lengths = lengths;
    m.in[0] = {numbers.data(), width, rows * width};
    m.buffers[0] = numbers.data();
    m.is_own[0] = is_own;
    clear_padding<dimension::time, 2, backend::reference>(
        m, {.in = in, .column = 1, .stride = width, .rows = domain::rows}, 0, steps);
    return numbers;
  };
  std::vector<int> expected = numbered();
  for (int t = 0; t < steps; ++t)
    for (int r = 0; r < rows; ++r)
      if (t >= lengths[r])
        for (int c : {1, 2}) expected[static_cast<std::size_t>((t * rows + r) * width + c)] = 0;
  CHECK(cleared(space::buffer, false) == expected);
  CHECK(cleared(space::input, true) == expected);
  CHECK(cleared(space::input, false) == numbered());
}

}  // namespace tenon::inline v0_1::engine::detail
