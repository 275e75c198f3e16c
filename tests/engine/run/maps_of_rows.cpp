// Which load of a map reads what an earlier map stored, and which stores need no memory: on accesses listed by hand, and by a backend
// that takes two maps of a softmax together.
#include "tenon/engine/run/maps_of_rows.hpp"

#include "support/map_kernels.hpp"
#include "tenon/backend/reference/reference.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace tenon::inline v0_1::engine::detail {

namespace {

constexpr place buffer_at(int index, int column = 0) {
  return {.in = space::buffer, .index = index, .column = column, .rows = domain::rows};
}
// Map 0 stores x (8 wide) in buffer 0, its sum in buffer 1 and y in an output. Map 1 loads x, the sum as one number, the right half
// of x, an input and y.
constexpr row_accesses<5, 3> by_hand = [] {
  row_accesses<5, 3> all;
  const place output{.in = space::output, .rows = domain::rows},
      input{.in = space::input, .rows = domain::rows};
  all.stores.add({buffer_at(0), 0, 8, false});
  all.stores.add({buffer_at(1), 0, 8, true});
  all.stores.add({output, 0, 8, false});
  all.loads.add({buffer_at(0), 1, 8, false});
  all.loads.add({buffer_at(1), 1, 8, true});
  all.loads.add({buffer_at(0, 4), 1, 4, false});
  all.loads.add({input, 1, 8, false});
  all.loads.add({output, 1, 8, false});
  return all;
}();
static_assert(by_hand.source(0) == 0 && by_hand.source(1) == 1);  // the same columns: from the store
static_assert(by_hand.source(2) == ir::from_maps_before);  // a part of them: from memory that was written
static_assert(by_hand.source(3) == ir::from_memory && by_hand.source(4) == 2);
static_assert(!by_hand.needs_no_memory(0));  // the part is read from it
static_assert(by_hand.needs_no_memory(1));
static_assert(!by_hand.needs_no_memory(2));  // an output is read by others

// A load of the same or an earlier map reads nothing of it.
constexpr row_accesses<1, 1> too_early = [] {
  row_accesses<1, 1> all;
  all.stores.add({buffer_at(0), 1, 8, false});
  all.loads.add({buffer_at(0), 1, 8, false});
  return all;
}();
static_assert(too_early.source(0) == ir::from_memory);
// Nor one number of a row what is a whole row.
constexpr row_accesses<1, 1> of_a_row = [] {
  row_accesses<1, 1> all;
  all.stores.add({buffer_at(0), 0, 8, false});
  all.loads.add({buffer_at(0), 1, 8, true});
  return all;
}();
static_assert(of_a_row.source(0) == ir::from_maps_before);

// A backend that takes maps together: it runs them one after the other, and counts.
struct together : backend::reference {};
constexpr bool takes_maps_of_rows(together) { return true; }
int calls = 0;
template <class Links, class... Kernels, class T>
void maps_of_rows(together, int steps, int rows, const backend::operand<const T>* const* loads,
                  const backend::operand<T>* const* stores) {
  ++calls;
  int k = 0;
  ((backend::map<Kernels>(backend::reference{}, steps, rows, loads[k], stores[k]), ++k), ...);
}

using softmax = test::softmax_step<5>::forward;
constexpr int maps = maps_of<softmax>.size;

// Two maps, of which the second reads the largest number that the first found; and one that is alone.
struct below_largest {
  static constexpr auto at(auto x) { return x - max(x); }
};
struct squared {
  static constexpr auto at(auto x) { return x * x; }
};
template <class Equation>
struct schedule_of {
  static constexpr schedule value = make_schedule(trace_at<Equation>(sizes{5}).equations, {});
};
template <class Schedule>
constexpr bool are_taken =
    takes_maps<Schedule, together, double>(std::make_integer_sequence<int, maps_of<Schedule>.size>{});
static_assert(maps_of<schedule_of<below_largest>>.size == 2 && are_taken<schedule_of<below_largest>>);
static_assert(maps_of<schedule_of<squared>>.size == 1 && !are_taken<schedule_of<squared>>);

// What a map reads of an earlier one comes from its store, not through memory, also where a row has a single number.
template <class Schedule>
constexpr bool goes_through_memory = [] {
  constexpr auto& all = links_of_rows<Schedule>::accesses;
  bool found = false;
  for (int l = 0; l < all.loads.size; ++l) found = found || all.source(l) == ir::from_maps_before;
  return found;
}();
static_assert(!goes_through_memory<softmax> && !goes_through_memory<test::softmax_step<5>::backward>);
static_assert(!goes_through_memory<test::softmax_step<1>::forward> &&
              !goes_through_memory<test::softmax_step<1>::backward>);

}  // namespace

TEST_CASE("only a backend that declares it takes them, and it gets the addresses of each map") {
  static_assert(maps > 1);
  constexpr auto numbers = std::make_integer_sequence<int, maps>{};
  static_assert(takes_maps<softmax, together, double>(numbers));
  static_assert(!takes_maps<softmax, backend::reference, double>(numbers));

  constexpr int rows = 2, steps = 3, width = 5;
  constexpr program_counts counts{.inputs = softmax::value.equations.inputs.size,
                                  .outputs = softmax::value.equations.outputs.size,
                                  .buffers = softmax::value.buffers.size};
  std::vector<double> in[2], buffers(steps * rows * 64 * (counts.buffers + 1));
  for (auto& x : in)
    for (int k = 0; k < rows * steps * width; ++k) x.push_back(0.1 * (k % 7) - 0.2 * (k % 3));
  std::vector<double> out[2][counts.outputs];
  for (int way = 0; way < 2; ++way) {
    program_memory<double, counts> m{};
    m.batch = m.rows = rows;
    for (int i = 0; i < counts.inputs; ++i) m.in[i] = {in[i].data(), width, rows * width};
    for (int o = 0; o < counts.outputs; ++o) {
      const int size = softmax::value.equations.code[softmax::value.equations.outputs[o]].size;
      out[way][o].resize(static_cast<std::size_t>(rows * steps * size));
      m.out[o] = {out[way][o].data(), size, rows * size};
    }
    for (int b = 0; b < counts.buffers; ++b) m.buffers[b] = buffers.data() + b * steps * rows * 64;
    if (way == 0) run_maps_of_rows<softmax, together>(m, 0, steps, numbers);
    else [&]<int... N>(std::integer_sequence<int, N...>) {
        (run_map<softmax, maps_of<softmax>[N], backend::reference>(m, 0, steps), ...);
      }
    (numbers);
  }
  CHECK(calls == 1);
  for (int o = 0; o < counts.outputs; ++o) {
    CHECK(out[0][o] == out[1][o]);
    CHECK(out[0][o] != std::vector<double>(out[0][o].size()));
  }
}

}  // namespace tenon::inline v0_1::engine::detail
