// Two programs as one: it computes what both compute one after the other, and so does its gradient.
#include "support/check_equation.hpp"
#include "support/equation.hpp"
#include "support/letters.hpp"
#include <tenon/equation/join.hpp>
#include <tenon/equation/trace.hpp>

using namespace tenon;
using namespace tenon::test;

namespace {

constexpr auto layer = [](auto x) { return W<"", 3>(x) + b<>; };
constexpr auto residual = [](auto y, auto x) { return tanh(y) + x; };
constexpr auto scaled = [](auto x) { return x * vector<"gain"> / sum(x * x); };
constexpr auto in_parts = [](auto x) { return concat(slice<2, 1>(x), tanh(slice<0, 2>(x))); };

// --- who reads an input ------------------------------------------------------------------------------------
static_assert(is_only_mapped(program_of({3, 3}, residual), 0) &&
              is_only_mapped(program_of({3, 3}, residual), 1));
static_assert(is_only_mapped(program_of({3}, scaled), 0), "a sum of features is part of a map");
static_assert(!is_only_mapped(program_of({3}, layer), 0), "a product");
static_assert(!is_only_mapped(program_of({3}, [](auto x) { return tanh(x) + W<"", 3>(x); }), 0), "both");
static_assert(!is_only_mapped(program_of({3}, [](auto x) { return x; }), 0), "the output");
static_assert(!is_only_mapped(program_of({3}, in_parts), 0), "a part of the output is a part of the input");
static_assert(is_only_mapped(program_of({3}, [](auto x) { return exp(slice<0, 1>(x)) + slice<1, 2>(x); }),
                             0));
static_assert(!is_only_mapped(program_of({3, 3}, [](auto x, auto) { return tanh(x); }), 1), "nobody");

static_assert(has_only_products_and_maps(program_of({3}, layer)) &&
              has_only_products_and_maps(program_of({3}, scaled)));
constexpr program over_time(auto f) {
  return trace(sizes{3}, {}, {}, [&](const auto& x) { return list<value, 8>{f(x[0])}; },
               {{domain::rows}, "time"})
      .equations;
}
static_assert(has_only_products_and_maps(over_time([](auto x) { return tanh(x); })));
static_assert(!has_only_products_and_maps(over_time([](auto x) { return sum<"time">(x); })));
static_assert(!has_only_products_and_maps(over_time([](auto x) { return x * softmax<"time">(sum(x)); })));
constexpr program with_noise(double share) {
  tape t;
  const int x = t.input(0, 3);
  t.written.outputs.add(t.emit(opcode::multiply, x, t.noise(share, 3, false)));
  return t.written;
}
static_assert(!has_only_products_and_maps(with_noise(0.5)) && has_only_products_and_maps(with_noise(0)));

// --- joining -----------------------------------------------------------------------------------------------
// The second program's only source is what the first makes.
constexpr program after(const program& first, const program& second) {
  return join(first, second, {first.inputs.size - first.own.size, {-1}});
}
static_assert(after(program_of({4}, layer), program_of({3}, [](auto y) { return tanh(y); })) ==
              program_of({4}, [](auto x) { return tanh(W<"", 3>(x) + b<>); }));
// Sources that both read are read once.
constexpr program layer_and_residual =
    join(program_of({3}, layer), program_of({3, 3}, residual), {1, {-1, 0}});
static_assert(layer_and_residual == program_of({3}, [](auto x) { return tanh(W<"", 3>(x) + b<>) + x; }));
// Others come after those of the first program; what both would compute is computed once.
constexpr auto with_sum = [](auto x, auto z) { return W<"", 3>(x) + sum(tanh(z)); };
constexpr auto times_sum = [](auto z, auto y, auto w) { return (y + w) * sum(tanh(z)); };
constexpr joined_sources one_shared{3, {1, -1, 2}};
constexpr program of_two = join(program_of({3, 2}, with_sum), program_of({2, 3, 3}, times_sum), one_shared);
static_assert(of_two.inputs == list<int, max_program_inputs>{3, 2, 3} && count(of_two, opcode::tanh) == 1 &&
              count(of_two, opcode::row_sum) == 1);
// Read twice.
static_assert(join(program_of({3}, layer), program_of({3, 3}, residual), {1, {-1, -1}}) ==
              program_of({3}, [](auto x) {
                const auto y = W<"", 3>(x) + b<>;
                return tanh(y) + y;
              }));
// The symbols of the second come after those of the first, though they have the same names.
constexpr program of_gains = after(program_of({3}, scaled), program_of({3}, scaled));
static_assert(of_gains.symbols.size == 2 && of_gains.symbols[0].letter == "gain" &&
              of_gains.symbols[1].letter == "gain");

// Numbers that an equation adds itself come last; inputs that are the same at every step stay so.
constexpr program with_position = [] {
  tape t;
  t.written.varies = {domain::rows, domain::batch};
  const int x = t.input(0, 3), c = t.input(1, 3), position = t.own(own_input::position);
  t.written.outputs.add(t.emit(opcode::add, t.emit(opcode::multiply, x, position), c));
  return t.written;
}();
constexpr program with_length = [] {
  tape t;
  t.written.varies = {domain::batch, domain::rows};
  const int c = t.input(0, 3), y = t.input(1, 3), length = t.own(own_input::length);
  t.written.outputs.add(t.emit(opcode::divide, t.emit(opcode::add, y, c), length));
  return t.written;
}();
constexpr joined_sources two_and_one{3, {2, -1}};
constexpr program with_both = join(with_position, with_length, two_and_one);
static_assert(with_both.own ==
              list<own_number, 16>{own_number{own_input::position}, own_number{own_input::length}});
static_assert(with_both.inputs == list<int, max_program_inputs>{3, 3, 3, 1, 1});
static_assert(with_both.varies == list<domain, max_program_inputs>{domain::rows, domain::batch, domain::batch,
                                                                   domain::rows, domain::batch});

// A list of axes that ends before the equation's own inputs: those vary with the rows.
constexpr program short_list = [] {
  program p = with_length;
  p.varies = {domain::batch, domain::rows};
  return p;
}();
static_assert(with_length.varies.size == 3 &&
              join(with_position, short_list, two_and_one).varies[4] == domain::rows);

// What both compute, one after the other.
void check_values(const program& first, const program& second, const joined_sources& sources,
                  int source_of_first, std::uint64_t seed) {
  const program both = join(first, second, sources);
  generator random(seed);
  const std::vector<steps> x = random_inputs(both, 0, 3, random);
  std::vector<row> symbols;
  for (const symbol& s : both.symbols) symbols.push_back(random.numbers(s.elements()));
  const auto of_first = symbols.begin() + first.symbols.size;
  const std::vector<row> symbols_of_first(symbols.begin(), of_first),
      symbols_of_second(of_first, symbols.end());
  const int own = sources.size;
  std::vector<steps> given(x.begin(), x.begin() + source_of_first);
  for (int n = 0; n < first.own.size; ++n) given.push_back(x[std::size_t(own + n)]);
  const steps made = interpret(first, given, symbols_of_first).values[std::size_t(first.outputs[0])];
  given.clear();
  for (int i : sources.of_second) given.push_back(i < 0 ? made : x[std::size_t(i)]);
  for (int n = 0; n < second.own.size; ++n) given.push_back(x[std::size_t(own + first.own.size + n)]);
  const auto expected = interpret(second, given, symbols_of_second).values[std::size_t(second.outputs[0])];
  const auto got = interpret(both, x, symbols).values[std::size_t(both.outputs[0])];
  for (std::size_t t = 0; t < got.size(); ++t) check_close(expected[t], got[t], "step " + std::to_string(t));
}

TEST_CASE("a joined program computes what both compute") {
  check_values(program_of({4}, layer), program_of({3, 3}, residual), {2, {-1, 1}}, 1, 1);
  check_values(program_of({3}, layer), program_of({3, 3}, residual), {1, {-1, 0}}, 1, 2);
  check_values(program_of({3}, scaled), program_of({3}, scaled), {1, {-1}}, 1, 3);
  check_values(program_of({3, 2}, with_sum), program_of({2, 3, 3}, times_sum), one_shared, 2, 5);
  check_values(with_position, with_length, two_and_one, 2, 4);
}

}  // namespace
