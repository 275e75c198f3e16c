// Owners: outputs and parts of a concat that already have another owner are copied.
#include <tenon/equation/split.hpp>
#include <tenon/equation/trace.hpp>
#include <tenon/lowering/history.hpp>
#include <tenon/lowering/owners.hpp>

#include <doctest/doctest.h>

using namespace tenon;
using namespace tenon::ir;

namespace {

template <class Equation, int... Features>
constexpr int copies() {
  const program p = ir::detail::give_places_owners(trace_at<Equation>(sizes{Features...}).equations);
  int n = 0;
  for (const instruction& i : p.code) n += i.code == opcode::copy;
  return n;
}

struct computed {
  static constexpr auto at(auto x) { return tanh(x); }
};
struct parts {  // of inputs
  static constexpr auto at(auto x, auto y) { return concat(x, tanh(y)); }
};
struct twice {  // the same part
  static constexpr auto at(auto x) {
    const auto y = tanh(x);
    return concat(y, y);
  }
};
struct nested {
  static constexpr auto at(auto x, auto y) { return concat(concat(tanh(x), exp(x)), tanh(y)); }
};
static_assert(copies<computed, 3>() == 0, "an output that is computed is written where it is wanted");
static_assert(copies<parts, 3, 2>() == 1, "an input stands elsewhere");
static_assert(copies<twice, 3>() == 1);
static_assert(copies<nested, 3, 2>() == 0);

// --- whoever writes a value is told one place: as an output, or as a part of one concat ------------------------
// The places of each instruction of a program that has owners.
constexpr bool has_one_place_each(const program& q) {
  int places[max_instructions]{};
  domain domains[max_instructions]{};
  for (int k = 0; k < q.code.size; ++k) domains[k] = domain_of(q.varies, q.code[k], domains);
  for (int o : q.outputs) ++places[o];
  for (int k = 0; k < q.code.size; ++k) {
    const instruction& i = q.code[k];
    if (i.code != opcode::concat) continue;
    for (int part : {int(i.a), int(i.b)}) {
      ++places[part];
      if (domains[part] != domains[k] && q.code[part].code != opcode::copy)
        return false;  // it has fewer rows than the whole
    }
  }
  for (int k = 0; k < q.code.size; ++k) {
    const opcode code = q.code[k].code;
    const bool writes = ir::detail::is_mapped(code) || ir::detail::is_heavy(code) || code == opcode::concat;
    if (places[k] > 1 || (places[k] > 0 && (!writes || code == opcode::keep))) return false;
  }
  return true;
}
// Is what is summed over rows, to a gradient or by an operation that clears rows past the end, in memory of its own?
constexpr bool clears_no_output(const program& q) {
  bool is_output[max_instructions]{};
  for (int o : q.outputs) is_output[o] = true;
  for (int k = q.code.size - 1; k >= 0; --k)
    if (is_output[k] && q.code[k].code == opcode::concat)
      is_output[q.code[k].a] = is_output[q.code[k].b] = true;
  for (const instruction& i : q.code) {
    if (i.code != opcode::gradient_outer && i.code != opcode::gradient_sum && !traits_of(i.code).owns_operand)
      continue;
    for (int o : {int(i.a), int(i.b)})
      if (o >= 0 && is_output[o]) return false;
  }
  return true;
}
template <class F>
constexpr program with_results(F results, const list<domain, max_program_inputs>& varies = {}) {
  const program p = trace(sizes{3, 3}, {}, {}, results, {varies, "time"}).equations;
  return ir::detail::give_places_owners(p);
}
using values = list<value, 8>;
constexpr program part_and_output = with_results([](const auto& x) {
  const value y = tanh(x[0]);
  return values{y, concat(exp(x[1]), y)};
});
constexpr program whole_is_output_and_part = with_results([](const auto& x) {
  const value inner = concat(tanh(x[0]), exp(x[0]));
  return values{inner, concat(inner, tanh(x[1]))};
});
constexpr program whole_is_part_twice = with_results([](const auto& x) {
  const value inner = concat(tanh(x[0]), exp(x[0]));
  return values{concat(inner, tanh(x[1])), concat(sin(x[1]), inner)};
});
constexpr program part_of_every_row = with_results(
    [](const auto& x) { return values{concat(tanh(x[0]), exp(x[1]))}; }, {domain::batch, domain::rows});
constexpr program whole_of_every_row =
    with_results([](const auto& x) { return values{concat(concat(tanh(x[0]), exp(x[0])), exp(x[1]))}; },
                 {domain::batch, domain::rows});
static_assert(has_one_place_each(part_and_output) && has_one_place_each(whole_is_output_and_part));
static_assert(has_one_place_each(whole_is_part_twice));
static_assert(has_one_place_each(part_of_every_row) && has_one_place_each(whole_of_every_row));

// Backward, an adjoint is an output, or a part of one, and what a bias's gradient sums.
struct moved : equations::symbols {
  static constexpr auto at(auto x) { return tanh(x + b<>); }
};
struct moved_parts : equations::symbols {
  static constexpr auto at(auto x) {
    return tanh(slice<0, 2>(x) + b<"left">) + exp(slice<2, 2>(x) + b<"right">);
  }
};
struct moved_whole : equations::symbols {  // the sum is of the concat itself
  static constexpr auto at(auto x) {
    const auto y = x + b<>;
    return tanh(slice<0, 2>(y)) * exp(slice<2, 2>(y));
  }
};
template <class Equation>
constexpr program backward_of =
    ir::detail::give_places_owners(split(reverse(trace_at<Equation>(sizes{4}).equations, {true})).backward);
constexpr int count(const program& p, opcode code) {
  int n = 0;
  for (const instruction& i : p.code) n += i.code == code;
  return n;
}
static_assert(count(backward_of<moved>, opcode::gradient_sum) == 1 && clears_no_output(backward_of<moved>));
static_assert(count(backward_of<moved_parts>, opcode::gradient_sum) == 2 &&
              clears_no_output(backward_of<moved_parts>) && has_one_place_each(backward_of<moved_parts>));
static_assert(count(backward_of<moved_whole>, opcode::gradient_sum) == 1 &&
              clears_no_output(backward_of<moved_whole>) && has_one_place_each(backward_of<moved_whole>));

// What a stream keeps is in its ring: an output of it is a copy.
constexpr program kept = [] {
  program p = trace(sizes{3}, {}, {}, [](const auto& x) { return values{shift<1, "time">(tanh(x[0]))}; },
                    {{domain::rows}, "time"})
                  .equations;
  p = with_history(p, 9);
  for (int k = 0; k < p.code.size; ++k)
    if (p.code[k].code == opcode::keep) p.outputs.add(k);
  return ir::detail::give_places_owners(p);
}();
static_assert(kept.outputs.size == 2 && has_one_place_each(kept));

}  // namespace

TEST_CASE("every output has an instruction of its own") {
  program p = trace_at<computed>(sizes{3}).equations;
  p.outputs.add(p.outputs[0]);
  p.outputs.add(p.input_value(0));
  const program q = ir::detail::give_places_owners(p);
  REQUIRE(q.outputs.size == 3);
  CHECK(q.outputs[0] != q.outputs[1]);
  CHECK(q.code[q.outputs[1]].code == opcode::copy);
  CHECK(q.code[q.outputs[2]].code == opcode::copy);
  CHECK(q.code[q.code[q.outputs[2]].a].code == opcode::input);
}
