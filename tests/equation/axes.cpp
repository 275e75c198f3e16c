// Equations over an axis: their derivatives against finite differences, the kernels in the schedules of attention, and
// schedules against the equations they are made from.
#include "support/check_equation.hpp"
#include "support/execute.hpp"
#include "support/letters.hpp"
#include <tenon/lowering/accumulate.hpp>
#include <tenon/lowering/make_schedule.hpp>

using namespace tenon;
using namespace tenon::test;

namespace {

const list<bool, max_program_inputs> sequence{false}, row_and_sequence{true, false};

// score . the softmax over the steps . the weighted sum, as attention has it
constexpr auto attended = [](auto score) {
  return [score](auto s, auto h) {
    const auto weights = softmax(score(s, h), along(h));
    return with<"weights">(sum(weights * h, along(h)), weights);
  };
};
constexpr auto dot_score = [](auto s, auto h) { return dot(s, h); };
constexpr auto additive_score = [](auto s, auto h) {
  return matrix<"v", 1>(tanh(W<"", 4>(s) + U<"", 4>(h) + b<>));
};
constexpr auto score_of_its_value = [](auto s, auto h) { return exp(0.3 * dot(s, h)); };

// The program of an equation on a row and a sequence of three features each.
template <class F>
constexpr program program_of(F f) {
  return trace(sizes{3, 3}, {}, {},
               [&](const auto& x) {
                 list<label, max_sources> names;
                 return ir::detail::result_of<F, 2>(f, x, names);
               },
               {{domain::batch, domain::rows}, "time"})
      .equations;
}
constexpr program without_weights(program p) {
  p.outputs.size = 1;
  return eliminate_dead_code(p);
}
constexpr int kernels_of(const schedule& s, kernel_kind kind) {
  int n = 0;
  for (const kernel& k : s.kernels) n += k.kind == kind && k.when != phase::none;
  return n;
}

// --- attention by dot products: only what a pass over the states needs --------------------------------------
constexpr program of_dot = without_weights(program_of(attended(dot_score)));
constexpr schedule forward_of_dot = make_schedule(of_dot, {});
static_assert(kernels_of(forward_of_dot, kernel_kind::over_axis) == 1 &&
              kernels_of(forward_of_dot, kernel_kind::weighted_sum) == 1 &&
              kernels_of(forward_of_dot, kernel_kind::map) == 1 &&
              kernels_of(forward_of_dot, kernel_kind::axis_sum) == 0);

constexpr schedule backward_of_dot =
    with_accumulation(make_schedule(split(reverse(of_dot, {true, true})).backward, {}), {false, false});
constexpr bool keeps_rows_of_states(const schedule& s) {
  for (const buffer& b : s.buffers)
    if (b.width > 1 && b.all_rows) return true;
  return false;
}
static_assert(runs_in_blocks(backward_of_dot), "one pass over the states");
static_assert(!keeps_rows_of_states(backward_of_dot),
              "weights times the adjoint are computed where they are added");
static_assert(!runs_in_blocks(make_schedule(split(reverse(of_dot, {true, true})).backward, {})),
              "a sum over the steps in a pass of its own reads all of them");
static_assert(!runs_in_blocks(forward_of_dot), "the softmax reads all steps");

// --- which steps are in a window: as many earlier as later ones, and for an even number one more earlier step -----
template <int N, int Dilation>
constexpr program of_window = trace(sizes{1}, {}, {},
                                    [](const auto& x) {
                                      return list<value, 8>{window<N, "time", Dilation>(x[0])};
                                    },
                                    {{domain::rows}, "time"})
                                  .equations;
template <int... Earlier>
constexpr bool reads(const program_view& p) {
  list<int, 16> found;
  const auto walk = [&](auto&& self, int k) -> void {
    const instruction& i = p.code[k];
    if (i.code == opcode::concat) {
      self(self, i.a);
      self(self, i.b);
    } else found.add(i.code == opcode::shift ? static_cast<int>(i.number) : 0);
  };
  walk(walk, p.outputs[0]);
  return found == list<int, 16>{Earlier...};
}
static_assert(reads<0>(of_window<1, 1>) && reads<1, 0>(of_window<2, 1>) && reads<1, 0, -1>(of_window<3, 1>) &&
              reads<2, 1, 0, -1>(of_window<4, 1>));
static_assert(reads<2, 0>(of_window<2, 2>) && reads<6, 3, 0, -3>(of_window<4, 3>));

// A schedule run kernel by kernel gives the results of the equations.
void check_schedule(const program& p, bool accumulated) {
  const schedule plain = make_schedule(p, {}), s = accumulated ? with_accumulation(plain, {}) : plain;
  generator random(5);
  const int time = 4;
  const std::vector<steps> inputs = random_inputs(p, 0, time, random);
  std::vector<row> symbols;
  for (const symbol& w : p.symbols) symbols.push_back(random.numbers(w.elements()));
  const interpretation expected = interpret(p, inputs, symbols);
  const execution got = executor(s, inputs, symbols).run({}, false);
  domain domains[max_instructions]{};
  for (int k = 0; k < p.code.size; ++k) domains[k] = domain_of(p.varies, p.code[k], domains);
  for (int o = 0; o < p.outputs.size; ++o)
    for (int t = 0; t < (domains[p.outputs[o]] == domain::rows ? time : 1); ++t)
      check_close(expected.output(p, o)[std::size_t(t)], got.outputs[std::size_t(o)][std::size_t(t)],
                  "output " + std::to_string(o) + ", step " + std::to_string(t));
}

}  // namespace

TEST_CASE("gradients of reductions over an axis are finite differences") {
  check_equation(
      {3}, [](auto x) { return sum<"time">(x * x); }, sequence);
  check_equation(
      {3}, [](auto x) { return mean<"time">(tanh(x)); }, sequence);
  check_equation(
      {3}, [](auto x) { return max<"time">(x); }, sequence);
  check_equation(
      {3}, [](auto x) { return softmax<"time">(x) * x; }, sequence);
  check_equation(
      {3}, [](auto x) { return log_softmax<"time">(x); }, sequence);
  check_equation(
      {3}, [](auto x) { return log_sum_exp<"time">(x * 2); }, sequence);
  check_equation(
      {1}, [](auto x) { return softmax<"time">(2 * x); }, sequence);
  check_equation(
      {3}, [](auto x) { return x - mean<"time">(x); }, sequence);
  check_equation(
      {3}, [](auto x) { return W<"", 2>(sum<"time">(x)) + b<>; }, sequence);
  check_equation(
      {3}, [](auto x) { return sum<"time">(W<"", 2>(x) + b<>); }, sequence);
  check_equation(
      {3}, [](auto x) { return sum<"time">(x * b<"gain">); }, sequence);
  check_equation(
      {3}, [](auto x) { return shift<1, "time">(x * x); }, sequence);
  check_equation(
      {3}, [](auto x) { return x * reversed<"time">(x * x); }, sequence);
  check_equation(
      {3}, [](auto x) { return x - shift<-2, "time">(x); }, sequence);
  check_equation(
      {2}, [](auto x) { return W<"", 3>(window<3, "time">(tanh(x))) + b<>; }, sequence);
  check_equation(
      {2}, [](auto x) { return max<"time">(relu(W<"", 3>(window<4, "time">(x)))); }, sequence);
  check_equation(
      {1}, [](auto x) { return window<3, "time", 2>(x) * b<"taps">; }, sequence);
  check_equation(
      {3, 3}, [](auto s, auto h) { return sum<"time">(s + h); }, row_and_sequence);
  check_equation(
      {3, 3}, [](auto s, auto h) { return s * max<"time">(s * h); }, row_and_sequence);
  check_equation(
      {3, 3}, [](auto s, auto h) { return mean<"time">(W<"", 2>(s) * U<"", 2>(h)); }, row_and_sequence);
  check_equation(
      {3, 3}, [](auto s, auto h) { return with<"total">(h * s, sum<"time">(h)); }, row_and_sequence);
}
TEST_CASE("gradients of attention are finite differences, of its context and its weights") {
  check_equation({3, 3}, attended(dot_score), row_and_sequence);
  check_equation({3, 3}, attended(additive_score), row_and_sequence);
  check_equation({3, 3}, attended(score_of_its_value), row_and_sequence);
  check_equation({3, 3}, attended([](auto s, auto h) { return sum(h * h) + 0 * sum(s); }), row_and_sequence);
  // values that are not inputs, and a context that another attention's score reads
  check_equation(
      {3, 3},
      [](auto s, auto h) { return sum(softmax(dot(s, h), along(h)) * matrix<"values", 2>(h), along(h)); },
      row_and_sequence);
  check_equation(
      {3, 3},
      [](auto s, auto h) {
        const auto first = sum(softmax(dot(s, h), along(h)) * h, along(h));
        return sum(softmax(dot(first, h), along(h)) * h, along(h));
      },
      row_and_sequence);
}
TEST_CASE("schedules of equations over an axis compute them") {
  for (const bool accumulated : {false, true}) {
    check_schedule(program_of(attended(dot_score)), accumulated);
    check_schedule(of_dot, accumulated);
    check_schedule(program_of([](auto s, auto h) { return W<"", 2>(window<3, "time">(h)) * sum(s); }),
                   accumulated);
    check_schedule(program_of([](auto s, auto h) { return window<3, "time">(h + s); }), accumulated);
    check_schedule(program_of([](auto s, auto h) { return with<"old">(h * s, shift<1, "time">(h)); }),
                   accumulated);
    check_schedule(program_of(attended(additive_score)), accumulated);
    check_schedule(program_of([](auto s, auto h) { return mean<"time">(s * h) + s; }), accumulated);
    check_schedule(program_of([](auto s, auto h) { return h - max<"time">(s * h); }), accumulated);
    check_schedule(program_of([](auto s, auto h) { return with<"last">(s * sum<"time">(h), h * s); }),
                   accumulated);
  }
}
