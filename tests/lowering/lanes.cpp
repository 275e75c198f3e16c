// Loops that process many steps at once: which equations allow it, which values are in lanes, and what is left of the loop.
#include <tenon/equation/split.hpp>
#include <tenon/equation/trace_step.hpp>
#include <tenon/lowering/lanes.hpp>
#include <tenon/lowering/make_schedule.hpp>
#include <tenon/nn/multi_head.hpp>

#include <doctest/doctest.h>

using namespace tenon;
using namespace tenon::ir;

namespace {

constexpr input_axes two_axes{{domain::rows, domain::inner}, "target", "source"};
constexpr int lanes = 16;

template <class Equation>
constexpr program traced_at = trace_at<Equation>(sizes{6, 6}, two_axes).equations;
template <class Equation>
constexpr gradient_pair gradient_of = split(reverse(traced_at<Equation>, {true, true}));
constexpr int count(const program& p, opcode code) {
  int n = 0;
  for (const instruction& i : p.code) n += i.code == code;
  return n;
}
constexpr int count(const schedule& s, kernel_kind kind, phase when) {
  int n = 0;
  for (const kernel& k : s.kernels) n += k.kind == kind && k.when == when;
  return n;
}
constexpr bool takes_many(const program& p) { return make_schedule(with_lanes(p, lanes), {}).lanes == lanes; }

// --- dot attention: two products forward, five back (the scores once more, and two adjoints of two operands) ---
struct dot_attention {
  static constexpr auto at(auto q, auto m) { return sum<"source">(softmax<"source">(dot(q, m)) * m); }
};
constexpr program forward = with_lanes(traced_at<dot_attention>, lanes);
constexpr schedule forward_schedule = make_schedule(forward, {});
static_assert(count(traced_at<dot_attention>, opcode::pair_dot) == 1 &&
              count(traced_at<dot_attention>, opcode::pair_sum) == 1);
static_assert(forward_schedule.lanes == lanes &&
              count(forward_schedule, kernel_kind::pair_dots, phase::loop) == 1 &&
              count(forward_schedule, kernel_kind::pair_sums, phase::loop) == 1);
constexpr schedule backward_schedule =
    make_schedule(with_lanes(gradient_of<dot_attention>.backward, lanes), {});
static_assert(count(backward_schedule, kernel_kind::pair_dots, phase::loop) == 2 &&
              count(backward_schedule, kernel_kind::pair_sums, phase::loop) == 1 &&
              count(backward_schedule, kernel_kind::pair_sums_over_time, phase::loop) == 2);

// --- heads are groups of features; a mask that depends only on steps is brought into lanes, as wide as its other operand ---
using heads = tenon::detail::attending_heads<6, 3, true, true>;
constexpr program with_weights =
    trace_at<heads>(sizes{6, 6}, {{domain::rows, domain::rows}, "time"}).equations;
constexpr program of_heads = [] {  // the weights are not read
  program first = with_weights;
  first.outputs = {};
  first.outputs.add(with_weights.outputs[0]);
  return eliminate_dead_code(first);
}();
static_assert(takes_many(of_heads) && !takes_many(with_weights));
constexpr program in_lanes_of_heads = with_lanes(of_heads, lanes);
constexpr bool has_width(const program& p, opcode code, int size) {
  bool all = count(p, code) > 0;
  for (const instruction& i : p.code) all = all && (i.code != code || i.size == size);
  return all;
}
static_assert(has_width(in_lanes_of_heads, opcode::pair_dot, 3 * lanes) &&
              has_width(in_lanes_of_heads, opcode::axis_softmax, 3 * lanes) &&
              has_width(in_lanes_of_heads, opcode::to_lanes, 3 * lanes) &&
              has_width(in_lanes_of_heads, opcode::greater, 3 * lanes) &&
              has_width(in_lanes_of_heads, opcode::pair_sum, 6));
constexpr schedule of_heads_schedule = make_schedule(in_lanes_of_heads, {});
// The loop contains no kernel that runs for a single step.
static_assert(count(of_heads_schedule, kernel_kind::matmul, phase::loop) == 0 &&
              count(of_heads_schedule, kernel_kind::to_lanes, phase::loop) == 1 &&
              count(of_heads_schedule, kernel_kind::matmul, phase::after) == 1);

// --- equations without a form in lanes process one step after the other ---
struct additive : equations::symbols {  // a product of what has both axes
  static constexpr auto at(auto q, auto m) {
    const auto e = matrix<"v", 1>(tanh(q + m));
    return sum<"source">(softmax<"source">(e) * m);
  }
};
struct twice {  // the result is used as a query again
  static constexpr auto at(auto q, auto m) {
    const auto found = sum<"source">(softmax<"source">(dot(q, m)) * m);
    return sum<"source">(softmax<"source">(dot(found, m)) * m);
  }
};
struct handed_back {  // the result is summed over time, and read again
  static constexpr auto at(auto q, auto m) {
    const auto weights = softmax<"source">(dot(q, m));
    const auto found = sum<"source">(weights * m);
    return sum<"source">(weights * sum<"target">(weights * found));
  }
};
struct spread_out {  // a result that is computed in lanes
  static constexpr auto at(auto q, auto m) { return log(sum<"source">(exp(dot(q, m)))); }
};
struct of_each_feature : equations::symbols {  // a vector beside each score of several
  static constexpr auto at(auto q, auto m) {
    return weighted_sum<"source">(softmax<"source">(dot<2>(q, m) * b<>), m);
  }
};
struct by_distance {  // weights that are no dot product
  static constexpr auto at(auto q, auto m) {
    const auto distance = position_of<"target">(q) - position_of<"source">(m);
    return q + sum<"source">(exp(-abs(distance)) * m);
  }
};
static_assert(takes_many(traced_at<by_distance>) && count(traced_at<by_distance>, opcode::pair_dot) == 0);
static_assert(takes_many(traced_at<dot_attention>) && takes_many(gradient_of<dot_attention>.backward));
static_assert(!takes_many(traced_at<additive>) && !takes_many(traced_at<twice>) &&
              !takes_many(traced_at<handed_back>) && !takes_many(traced_at<spread_out>) &&
              !takes_many(traced_at<of_each_feature>));
static_assert(!has_pairs(with_lanes(traced_at<twice>, lanes)) && has_pairs(traced_at<twice>));

// A recurrence along time sees a sequence without lanes: it has one step at a time.
struct attending {
  static constexpr auto step(auto y, auto s, auto memory) {
    return tanh(y + sum<"source">(softmax<"source">(dot(s, memory)) * memory));
  }
};
static_assert(!has_pairs(trace_step<attending>(4, 4, {sizes{4}, {{domain::inner}, {}, "source"}}).equations));

// One value for each group, and each group with its weight, written without the operations.
struct by_groups {
  static constexpr auto at(auto q, auto m) { return weighted_sum<"source">(dot<2>(q, m), m); }
};
struct by_slices {
  static constexpr auto at(auto q, auto m) {
    const auto half = [&](auto of_q, auto of_m) { return sum<"source">(sum(of_q * of_m) * of_m); };
    return concat(half(slice<0, 3>(q), slice<0, 3>(m)), half(slice<3, 3>(q), slice<3, 3>(m)));
  }
};
constexpr program of_groups = without_pairs(traced_at<by_groups>),
                  of_slices = without_pairs(traced_at<by_slices>);
static_assert(count(of_groups, opcode::row_sum) == 2 && count(of_groups, opcode::axis_sum) == 2 &&
              of_groups.code.size == of_slices.code.size);
static_assert(of_groups.code[of_groups.outputs[0]].size == 6, "the features of both groups");

}  // namespace

TEST_CASE("checked while it compiles") {}
