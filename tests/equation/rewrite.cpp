// Passes: dead code, biases, the order in which symbols are stored, and joining the products of one input.
#include "support/check_equation.hpp"
#include "support/equation.hpp"
#include "support/letters.hpp"
#include <tenon/equation/rewrite.hpp>
#include <tenon/nn/cell/gru.hpp>
#include <tenon/nn/cell/lstm.hpp>
#include <tenon/nn/cell/rnn.hpp>

using namespace tenon;
using namespace tenon::test;

namespace {

// --- dead code ---------------------------------------------------------------------------------------------
constexpr auto with_leftovers = [](auto x) {
  [[maybe_unused]] const auto unused = exp(W<"unused", 9>(x)) + b<"unused">;
  return tanh(x);
};
static_assert(program_of({3}, with_leftovers).code.size == 2, "x and tanh");
static_assert(program_of({3}, with_leftovers).symbols.empty(), "its symbols go with it");
static_assert(eliminate_dead_code(program_of({3}, with_leftovers)) == program_of({3}, with_leftovers));

// --- storage -----------------------------------------------------------------------------------------------
constexpr bool stores(const program& p, const storage_layout& layout, int at, std::string_view path, int rows,
                      int columns, int count) {
  const auto all = stored_parameters(p, layout);
  return at < all.size && all[at].path.view() == path && all[at].rows == rows && all[at].columns == columns &&
         all[at].count == count;
}
template <class C>
constexpr program traced_step(int input, int hidden) {
  return trace_step<C>(input, hidden).equations;
}
constexpr program lstm = traced_step<nn::cells::lstm>(5, 3);
static_assert(stores(lstm, nn::cells::lstm::storage, 0, "weight_ih", 12, 5, 4));
static_assert(stores(lstm, nn::cells::lstm::storage, 1, "weight_hh", 12, 3, 4));
static_assert(stores(lstm, nn::cells::lstm::storage, 2, "bias_ih", 12, 0, 4));
static_assert(stores(lstm, nn::cells::lstm::storage, 3, "bias_hh", 12, 0, 4));
static_assert(stored_parameters(lstm, nn::cells::lstm::storage).size == 4);
static_assert(lstm.symbols[0].gate == "i" && lstm.symbols[1].gate == "f" && lstm.symbols[2].gate == "g" &&
              lstm.symbols[3].gate == "o");
constexpr program gru = traced_step<nn::cells::gru>(5, 3);
static_assert(stores(gru, nn::cells::gru::storage, 0, "weight_ih", 9, 5, 3) && gru.symbols[0].gate == "r" &&
              gru.symbols[2].gate == "n");
static_assert(stores(traced_step<nn::cells::rnn_tanh>(5, 3), nn::cells::rnn_tanh::storage, 1, "weight_hh", 3,
                     3, 1));

// Without a layout: letter and gate, matrices of one input together, vectors after them.
constexpr program cho = traced_step<nn::cells::gru_cho>(5, 3);
constexpr const char* cho_order[]{"W_z", "W_r", "W_n", "U_z", "U_r", "U_n", "b_z", "b_r", "b_n"};
constexpr bool in_cho_order() {
  for (int k = 0; k < 9; ++k)
    if (stored_parameters(cho, {})[k].path != cho_order[k]) return false;
  return stored_parameters(cho, {}).size == 9;
}
static_assert(in_cho_order());

// --- biases ------------------------------------------------------------------------------------------------
static_assert(without_biases(lstm).code.size < lstm.code.size &&
              count(without_biases(lstm), opcode::vector) == 0);
static_assert(count(without_biases(lstm), opcode::matmul) == 8);
static_assert(stored_parameters(order_symbols(without_biases(lstm), nn::cells::lstm::storage),
                                nn::cells::lstm::storage)
                  .size == 2);
constexpr auto scaled = [](auto x) { return x * b<"scale">; };
static_assert(output_size(without_biases(program_of({3}, scaled))) == 3,
              "a bias that is gone leaves its width");
constexpr auto gained = [](auto x) { return x * vector<"gain"> + vector<"bias">; };
static_assert(count(without_biases(program_of({3}, gained)), opcode::vector) == 1, "only biases go");

// --- grouping ----------------------------------------------------------------------------------------------
// Jozefowicz et al. 2015.
struct mut1 : equations::symbols {
  static constexpr auto step(auto x, auto h) {
    auto z = sigmoid(W<"z">(x) + b<"z">);
    auto r = sigmoid(W<"r">(x) + U<"r">(h) + b<"r">);
    auto n = tanh(U<"h">(r * h) + tanh(W<"h">(x)) + b<"h">);
    return next(n * z + h * (1 - z));
  }
};
constexpr int products(const program& p) { return count(group_products(p), opcode::matmul); }
static_assert(products(lstm) == 2, "W x and U h, four gates each");
static_assert(products(gru) == 2, "reset after the product: U_n h needs no r");
static_assert(products(cho) == 3, "U_n (r * h) waits for r");
static_assert(products(traced_step<mut1>(5, 3)) == 3, "W x, U_r h, U_h (r * h)");
static_assert(products(traced_step<nn::cells::rnn_tanh>(5, 3)) == 2);
static_assert(group_products(group_products(lstm)) == group_products(lstm));
static_assert(multiply_adds(group_products(lstm)) == multiply_adds(lstm) &&
              multiply_adds(lstm) == 4 * 3 * (5 + 3));

constexpr bool joins_all_gates(const program& p) {
  for (const instruction& i : p.code)
    if (i.code == opcode::matmul && (i.count != 4 || i.size != 12)) return false;
  return true;
}
static_assert(joins_all_gates(group_products(lstm)));
// One matrix on two inputs cannot be in both groups at once, but it is multiplied with both.
static_assert(products(program_of({3, 3}, [](auto x, auto y) {
                return W<"", 3>(x) + W<"", 3>(y) + U<"", 3>(x);
              })) == 2);

}  // namespace

TEST_CASE("grouping changes no value") {
  for (const program& p : {lstm, gru, cho, traced_step<mut1>(5, 3)}) {
    generator random(3);
    const std::vector<steps> inputs = random_inputs(p, 0, 1, random);
    std::vector<row> symbols;
    for (const symbol& s : p.symbols) symbols.push_back(random.numbers(s.elements()));
    const program grouped = group_products(p);
    const interpretation a = interpret(p, inputs, symbols), b = interpret(grouped, inputs, symbols);
    for (int o = 0; o < p.outputs.size; ++o) CHECK(a.output(p, o) == b.output(grouped, o));
  }
}
