// Schedules: what is hoisted, what is fused, and that running the kernels in their phases gives the program's
// results.
#include "support/check_equation.hpp"
#include "support/execute.hpp"
#include "support/letters.hpp"
#include <tenon/equation/split.hpp>
#include <tenon/equation/trace_step.hpp>
#include <tenon/lowering/make_schedule.hpp>
#include <tenon/nn/cell/gru.hpp>
#include <tenon/nn/cell/lstm.hpp>
#include <tenon/nn/cell/rnn.hpp>

using namespace tenon;
using namespace tenon::ir;
using namespace tenon::test;

namespace {

// --- structure, at compile time ----------------------------------------------------------------------------

template <class C>
constexpr program step_program(int input, int hidden) {
  return group_products(trace_step<C>(input, hidden).equations);
}
template <class C>
constexpr schedule forward_of(int input, int hidden) {
  carried_pairs carried;
  for (int n = 0; n < state_count<C>; ++n) carried.add({1 + n, 1 + n});
  return make_schedule(step_program<C>(input, hidden), carried);
}
constexpr gradient_pair pair_of(const program& p) {
  list<bool, max_program_inputs> wanted;
  for (int i = 0; i < p.inputs.size; ++i) wanted.add(true);
  return split(reverse(p, wanted));
}
// Inputs of a step's backward program: x, states, dy, d(next states), saved; outputs: dx, d(states).
template <class C>
constexpr carried_pairs backward_pairs() {
  carried_pairs carried;
  for (int n = 0; n < state_count<C>; ++n) carried.add({state_count<C> + 2 + n, 1 + n});
  return carried;
}
constexpr int count(const schedule& s, kernel_kind kind, phase when) {
  int n = 0;
  for (const kernel& k : s.kernels) n += k.kind == kind && k.when == when ? 1 : 0;
  return n;
}

template <class C>
constexpr int handing_on() {
  constexpr schedule b = make_schedule(pair_of(step_program<C>(5, 3)).backward, backward_pairs<C>());
  int n = 0;
  for (int k = 0; k < b.kernels.size; ++k) n += only_serves_next_step(b, k);
  return n;
}
static_assert(handing_on<nn::cells::lstm>() == 1, "the product that makes the adjoint of the state before");
static_assert(handing_on<nn::cells::gru>() == 2, "and what is added to it");

template <class C>
constexpr bool hoists() {
  constexpr schedule f = forward_of<C>(5, 3);
  constexpr schedule b = make_schedule(pair_of(step_program<C>(5, 3)).backward, backward_pairs<C>());
  static_assert(count(f, kernel_kind::matmul, phase::before) == 1,
                "W x of all steps is one product before the loop");
  static_assert(count(f, kernel_kind::matmul, phase::after) == 0);
  static_assert(count(b, kernel_kind::gradient_outer, phase::loop) == 0, "weight gradients leave the loop");
  static_assert(count(b, kernel_kind::gradient_sum, phase::loop) == 0);
  static_assert(count(b, kernel_kind::gradient_outer, phase::after) >= 2);
  static_assert(count(b, kernel_kind::matmul_transposed, phase::after) == 1,
                "dL/dx of all steps is one product");
  return true;
}
static_assert(hoists<nn::cells::lstm>() && hoists<nn::cells::gru>() && hoists<nn::cells::gru_cho>() &&
              hoists<nn::cells::rnn_tanh>());

constexpr schedule lstm = forward_of<nn::cells::lstm>(5, 3);
static_assert(count(lstm, kernel_kind::matmul, phase::loop) == 1, "U h of all gates is one product");
static_assert(count(lstm, kernel_kind::map, phase::before) == 0 &&
                  count(lstm, kernel_kind::map, phase::loop) == 1,
              "one step of an LSTM is one product and one fused kernel");
static_assert(count(forward_of<nn::cells::gru>(5, 3), kernel_kind::map, phase::loop) == 1);
static_assert(count(forward_of<nn::cells::gru_cho>(5, 3), kernel_kind::matmul, phase::loop) == 2,
              "U_n waits for r");
static_assert(count(forward_of<nn::cells::gru_cho>(5, 3), kernel_kind::map, phase::loop) == 2);
static_assert(lstm.kernels.size == 3 && lstm.buffers.size == 2, "memory: W x of all steps, U h of one");
static_assert(lstm.buffers[0].all_rows != lstm.buffers[1].all_rows);

// A layer without carried values has one phase.
struct layer : equations::symbols {
  static constexpr auto at(auto x) { return relu(matrix<"weight", 4>(x) + vector<"bias">); }
};
constexpr schedule plain = make_schedule(trace_at<layer>(sizes{3}).equations, {});
static_assert(plain.kernels.size == 2 && plain.kernels[0].kind == kernel_kind::matmul &&
              plain.kernels[0].when == phase::before);
static_assert(plain.kernels[1].kind == kernel_kind::map && plain.kernels[1].width == 4 &&
              plain.buffers.size == 1);
// The last sum of a fused chain is stored once per row; the chain itself is not stored.
struct reduced {
  static constexpr auto at(auto x) { return sum(tanh(x) * x); }
};
constexpr schedule chained = make_schedule(trace_at<reduced>(sizes{3}).equations, {});
static_assert(chained.kernels.size == 1 && chained.buffers.size <= 1);
// A value computed only from inputs is placed in the map that reads it.
struct waiting {
  static constexpr auto at(auto x, auto y) { return x * y + x / sum(y); }
};
constexpr schedule later = make_schedule(trace_at<waiting>(sizes{3, 3}).equations, {});
constexpr bool keeps_rows(const schedule& s) {
  for (const buffer& b : s.buffers)
    if (b.width > 1) return true;
  return false;
}
static_assert(later.kernels.size == 2 && !keeps_rows(later), "the product is nowhere stored");
// A concat costs nothing: its parts are written directly to their places.
struct joined {
  static constexpr auto at(auto x, auto y) { return concat(tanh(x), tanh(y)); }
};
constexpr schedule side_by_side = make_schedule(trace_at<joined>(sizes{2, 3}).equations, {});
static_assert(side_by_side.kernels.size == 2 && side_by_side.buffers.empty(),
              "both maps write into the output");

// --- behaviour ---------------------------------------------------------------------------------------------

/// A program without carried values, forward and backward, against the interpreter.
void check_schedule(const program& p, std::uint64_t seed, int time) {
  generator random(seed);
  std::vector<row> symbols;
  for (int n = 0; n < p.symbols.size; ++n) symbols.push_back(random.numbers(p.symbols[n].elements()));
  const gradient_pair pair = pair_of(p);
  for (const program& one : {p, pair.forward, pair.backward}) {
    const std::vector<steps> inputs = random_inputs(one, 0, time, random);
    const interpretation expected = interpret(one, inputs, symbols);
    const schedule s = make_schedule(one, {});
    const execution got = executor(s, inputs, symbols).run({}, false);
    domain domains[max_instructions]{};
    for (int k = 0; k < one.code.size; ++k) domains[k] = domain_of(one.varies, one.code[k], domains);
    for (int o = 0; o < one.outputs.size; ++o) {
      const steps& y = got.outputs[std::size_t(o)];
      const std::size_t rows = domains[one.outputs[o]] == domain::batch ? 1 : y.size();
      for (std::size_t t = 0; t < rows; ++t)
        check_close(expected.output(one, o)[t], y[t],
                    "output " + std::to_string(o) + " at " + std::to_string(t));
    }
    for (std::size_t n = 0; n < symbols.size(); ++n)
      check_close(expected.gradients[n], got.gradients[n], "gradient " + std::to_string(n));
  }
}

/// A program with carried values against the interpreter run step by step.
void check_loop(const program& p, const carried_pairs& carried, bool backwards, std::uint64_t seed,
                long loop_weights = 0) {
  generator random(seed);
  const int time = 4;
  std::vector<row> symbols;
  for (int n = 0; n < p.symbols.size; ++n) symbols.push_back(random.numbers(p.symbols[n].elements()));
  std::vector<steps> inputs = random_inputs(p, 0, time, random);
  const schedule s = make_schedule(p, carried, loop_weights);
  const execution got = executor(s, inputs, symbols).run(carried, backwards);

  std::vector<row> gradients;
  for (const row& w : symbols) gradients.emplace_back(w.size(), 0.0);
  std::vector<row> before;
  for (int n = 0; n < time; ++n) {
    const std::size_t t = std::size_t(backwards ? time - 1 - n : n);
    std::vector<steps> here;
    for (const steps& in : inputs) here.push_back({in[t]});
    for (const carried_pair& c : carried) {
      row& state = here[std::size_t(c.input)][0];
      state = n == 0 ? row(state.size()) : before[std::size_t(c.output)];
    }
    const interpretation run = interpret(p, here, symbols);
    before.clear();
    for (int o = 0; o < p.outputs.size; ++o) {
      before.push_back(run.output(p, o)[0]);
      check_close(before.back(), got.outputs[std::size_t(o)][t],
                  "output " + std::to_string(o) + " at " + std::to_string(t));
    }
    for (std::size_t w = 0; w < symbols.size(); ++w)
      for (std::size_t e = 0; e < symbols[w].size(); ++e) gradients[w][e] += run.gradients[w][e];
  }
  for (std::size_t w = 0; w < symbols.size(); ++w)
    check_close(gradients[w], got.gradients[w], "gradient " + std::to_string(w));
}

template <class C>
void check_cell_loop(std::uint64_t seed) {
  for (auto [input, hidden] : {std::pair{5, 3}, {1, 1}, {2, 4}}) {
    const program p = step_program<C>(input, hidden);
    carried_pairs carried;
    for (int n = 0; n < state_count<C>; ++n) carried.add({1 + n, 1 + n});
    check_loop(p, carried, false, seed);
    const gradient_pair pair = pair_of(p);
    check_loop(pair.forward, carried, false, seed);
    check_loop(pair.forward, carried, false, seed, 1000);
    for (const kernel& k : make_schedule(pair.forward, carried, 1000).kernels)
      CHECK((k.kind != kernel_kind::matmul || k.when != phase::before));
    check_loop(pair.backward, backward_pairs<C>(), true, seed);
  }
}

// The state takes part in a concat, and the output is not the state.
struct concat_cell : equations::symbols {
  static constexpr auto step(auto x, auto h, auto c) {
    auto both = concat(x, h);
    auto gate = sigmoid(W<"g">(both) + b<"g">);
    auto n = tanh(W<"n">(concat(x, gate * c)) + exp(b<"n">));
    return next((1 - gate) * h + gate * n, n + c * b<"d">).emitting(concat(h, softmax(n), x));
  }
};

// Part of a concat in the loop is a product that is computed before it, for all steps.
struct part_cell : equations::symbols {
  static constexpr auto step(auto x, auto h) { return tanh(U<>(concat(W<"in", 4>(x), h))); }
};
// Part of a concat in the loop is multiplied after it, for all steps.
struct read_part_cell : equations::symbols {
  static constexpr auto step(auto x, auto h) {
    const auto m = tanh(W<"m", 2>(x) + U<"m", 2>(h));
    return next(tanh(V<>(concat(m, sigmoid(h))))).emitting(matrix<"out", 5>(m));
  }
};

}  // namespace

TEST_CASE_TEMPLATE("time loops", C, nn::cells::lstm, nn::cells::gru, nn::cells::gru_cho, nn::cells::rnn_tanh,
                   nn::cells::rnn_relu, concat_cell, part_cell, read_part_cell) {
  for (std::uint64_t seed = 1; seed < 4; ++seed) check_cell_loop<C>(seed);
}

TEST_CASE("layers, with inputs that are the same at each step") {
  const auto check = [](const sizes& features, auto f) {
    traced t = trace(features, {}, {}, [&](const auto& x) {
      return ir::detail::as_list(ir::detail::call<decltype(f), ir::detail::arity_of<decltype(f)>()>(f, x));
    });
    INFO(std::string(explain(t.wrong).view()));
    REQUIRE(!t.wrong);
    for (int mask = 0; mask < (1 << features.size); ++mask) {
      CAPTURE(mask);
      t.equations.varies = {};
      for (int i = 0; i < features.size && mask > 0; ++i)
        t.equations.varies.add(((mask >> i) & 1) != 0 ? domain::batch : domain::rows);
      check_schedule(t.equations, 7, 3);
      check_schedule(group_products(t.equations), 8, 1);
    }
  };
  check({5}, [](auto x) { return W<"", 2>(x) + b<>; });
  check({5}, [](auto x) { return softmax(W<"a", 3>(x)) * W<"c", 3>(x); });
  check({4}, [](auto x) { return (x - mean(x)) / sqrt(mean(square(x - mean(x))) + 0.1) * b<"g"> + b<"s">; });
  check({5}, [](auto x) {  // one number for each row, made while wide values are
    const auto total = sum(x);
    const auto wide = tanh(x * total);
    const auto one = exp(total);
    return wide * one;
  });
  check({5, 2}, [](auto s, auto h) { return matrix<"v", 1>(tanh(W<"", 3>(s) + U<"", 3>(h) + b<>)); });
  check({5, 2}, [](auto s, auto h) { return tanh(W<"", 3>(concat(s, h))); });
  check({5, 2}, [](auto s, auto h) { return concat(h, W<"", 3>(s), s, tanh(s)); });
  check({5, 2}, [](auto s, auto h) { return concat(concat(tanh(s), s), concat(h, concat(s, tanh(s)))); });
  check({3, 3}, [](auto s, auto h) { return list<value, 8>{concat(s, h), s * h, concat(s, h), s}; });
  check({3, 3}, [](auto s, auto h) { return concat(exp(b<>) * h, h * s, 0 * h + b<>, s) * 2; });
  check({4}, [](auto x) { return slice<1, 2>(x) * slice<0, 2>(W<"", 4>(x)); });
  check({4}, [](auto x) { return slice<1, 2>(concat(slice<2, 2>(tanh(x)), slice<0, 2>(x))); });
  check({4}, [](auto x) { return list<value, 8>{slice<1, 2>(x), x, W<"", 3>(slice<1, 3>(x))}; });
}

TEST_CASE("a program of as many instructions as there may be") {
  program p;
  p.inputs.add(3);
  p.code.add({.code = opcode::input, .size = 3});
  while (p.code.size < max_instructions)
    p.code.add({.code = opcode::tanh, .a = short(p.code.size - 1), .size = 3});
  p.outputs.add(p.code.size - 1);
  const schedule s = make_schedule(p, {});
  CHECK(s.equations.code.size == max_instructions);
  CHECK(s.domains.size == max_instructions);
  CHECK(s.kernels.size == 1);
}
