// Loops of maps and products with transposed matrices that a backend may run row by row: which they are, what is kept of a row, and where.
#include <tenon/engine/session/session.hpp>
#include <tenon/lowering/row_loop.hpp>
#include <tenon/nn/recurrent.hpp>

#include <doctest/doctest.h>

#include <set>

using namespace tenon;
using namespace tenon::nn;
using namespace tenon::ir;

namespace {

template <class Layer>
using over_time = graph<"over time", input<"x", features<5>, steps<7>>, node<"y", Layer, "x">, output<"y">>;
template <class Layer>
using program_of = typename differentiation<over_time<Layer>, void, batch<4>>::plan::template program_of<0>;
template <class Layer>
constexpr row_loop_body back_through = row_loop_of(program_of<Layer>::backward_schedule::value);

// An LSTM: a map and a product; h and c are carried, the gradients of four gates are kept for the product.
constexpr row_loop_body lstm_loop = back_through<lstm<3>>;
static_assert(lstm_loop.kernels.size == 2 && lstm_loop.carried == 6 && lstm_loop.weights == 4 * 3 * 3);
static_assert(lstm_loop.columns >= 2 * 6 + 4 * 3 && lstm_loop.widest == 3);

// A GRU: its product is between maps. Cho's gated unit has two.
static_assert(back_through<gru<3>>.kernels.size > 2 && back_through<gru<3>>.weights == 3 * 3 * 3);
static_assert(back_through<recurrent<cells::gru_cho, hidden<3>>>.weights == 3 * 3 * 3);
static_assert(back_through<rnn<3>>.weights == 3 * 3);

// --- loops that do not qualify ---
static_assert(row_loop_of(program_of<lstm<3>>::forward_schedule::value).kernels.empty(),
              "products with matrices as they are");
static_assert(row_loop_of(schedule{}).kernels.empty());

// A buffer that the loop writes holds the rows of one step: not one that is kept, or has rows for an inner axis.
template <class Layer>
inline constexpr auto& backward_of = program_of<Layer>::backward_schedule::value;
constexpr int rejected(auto change) {
  const schedule_view& of = backward_of<gru<3>>;
  int n = 0;
  for (int b = 0; b < of.buffers.size; ++b) {
    list<buffer, max_buffers> buffers;
    for (const buffer& one : of.buffers) buffers.add(one);
    change(buffers[b]);
    schedule_view s = of;
    s.buffers = buffers;
    n += row_loop_of(s).kernels.empty();
  }
  return n;
}
constexpr int written_by_loop = [] {
  int n = 0;
  for (int column : back_through<gru<3>>.buffers) n += column >= 0;
  return n;
}();
static_assert(written_by_loop > 0 && rejected([](buffer&) {}) == 0);
static_assert(rejected([](buffer& b) { b.once = true; }) == written_by_loop &&
              rejected([](buffer& b) { b.inner = true; }) == written_by_loop &&
              rejected([](buffer& b) { b.kept_steps = 2; }) == written_by_loop);

// Nor one with a map that reads an output in memory, where an earlier kernel of the loop may have written it.
constexpr int reads_of_output = [] {
  const schedule_view& of = backward_of<gru<3>>;
  int n = 0;
  for (int k = 0; k < of.equations.code.size; ++k) {
    bool is_read = false;  // by another map of the loop
    for (int u = k + 1; u < of.equations.code.size; ++u)
      for_operands(of.equations.code[u], [&](int o) {
        const int by = of.kernel_of[u], from = of.kernel_of[k];
        is_read =
            is_read || (o == k && from >= 0 && by >= 0 && by != from &&
                        of.kernels[from].when == phase::loop && of.kernels[by].when == phase::loop &&
                        of.kernels[from].kind == kernel_kind::map && of.kernels[by].kind == kernel_kind::map);
      });
    if (!is_read || of.places[k].in != space::buffer) continue;
    list<place, max_instructions> places;
    for (const place& one : of.places) places.add(one);
    places[k].in = space::output;
    places[k].index = of.equations.outputs.size;  // one that is not carried
    schedule_view s = of;
    s.places = places;
    if (!row_loop_of(s).kernels.empty()) return -1;
    ++n;
  }
  return n;
}();
static_assert(reads_of_output > 0);

// --- limits ---
constexpr auto& back = program_of<lstm<3>>::backward_schedule::value;
constexpr int columns = lstm_loop.columns;
static_assert(row_loop_fits(back, {.weights = 36, .columns = columns}));
static_assert(!row_loop_fits(back, {.weights = 35, .columns = columns}));
static_assert(!row_loop_fits(back, {.weights = 36, .columns = columns - 1}));
static_assert(!row_loop_fits(back, {}));

}  // namespace

TEST_CASE("what is carried, before a step and behind it, and buffers have columns of their own") {
  const schedule_view s = back;
  std::set<int> columns_of_states, columns_of_buffers;
  for (const carried_pair& c : s.carried)
    for (int j = 0; j < s.equations.inputs[c.input]; ++j) {
      const place before{.in = space::input, .index = c.input, .column = j},
          behind{.in = space::output, .index = c.output, .column = j};
      columns_of_states.insert(ir::detail::column_in_row(s, lstm_loop, before));
      CHECK(ir::detail::column_in_row(s, lstm_loop, behind) ==
            ir::detail::column_in_row(s, lstm_loop, before) + lstm_loop.carried);
    }
  CHECK(columns_of_states.size() == 6);
  CHECK(*columns_of_states.begin() == 0);
  CHECK(*columns_of_states.rbegin() == 5);
  for (int b = 0; b < s.buffers.size; ++b)
    for (int j = 0; j < s.buffers[b].width && lstm_loop.buffers[b] >= 0; ++j) {
      const int column =
          ir::detail::column_in_row(s, lstm_loop, {.in = space::buffer, .index = b, .column = j});
      CHECK(columns_of_buffers.insert(column).second);
      CHECK(column >= 12);
      CHECK(column < lstm_loop.columns);
    }
  CHECK(int(columns_of_buffers.size()) == lstm_loop.columns - 12);
  CHECK(ir::detail::column_in_row(s, lstm_loop, {.in = space::parameter}) == -1);
}
