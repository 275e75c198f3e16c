// Schedules of equations over two axes: what leaves the loop, what is computed once, what is kept, and in how much memory.
#include "tenon/engine/session/differentiation.hpp"
#include "tenon/lowering/make_schedule.hpp"
#include "tenon/nn/multi_head.hpp"
#include "tenon/nn/recurrent.hpp"

#include <doctest/doctest.h>

using namespace tenon;
using namespace tenon::nn;
using namespace tenon::ir;

namespace {

struct attending : equations::symbols {
  static constexpr auto step(auto y, auto s, auto memory) {
    const auto e = matrix<"v", 1>(tanh(W<"a", 5>(s) + U<"a", 5>(memory)));
    const auto c = sum<"source">(softmax<"source">(e) * memory);
    return tanh(W<"n">(y) + U<"n">(s) + V<"n">(c));
  }
};
constexpr program step_of_attending =
    group_products(trace_step<attending>(3, 4, {sizes{6}, {{domain::inner}, {}, "source"}}).equations);
constexpr schedule forward = make_schedule(step_of_attending, {carried_pair{1, 1}});
constexpr int kernels(const schedule& s, kernel_kind kind, phase when, domain over) {
  int n = 0;
  for (const kernel& k : s.kernels) n += k.kind == kind && k.when == when && k.over == over;
  return n;
}

// U_a memory is computed once for a sequence; W_n y for all steps; in the loop are W_a s, U_n s, V_n c and v . tanh(..)
static_assert(kernels(forward, kernel_kind::matmul, phase::before, domain::inner) == 1);
static_assert(kernels(forward, kernel_kind::matmul, phase::before, domain::rows) == 1);
static_assert(kernels(forward, kernel_kind::matmul, phase::loop, domain::both) == 1);
static_assert(kernels(forward, kernel_kind::matmul, phase::loop, domain::inner) == 0);
static_assert(kernels(forward, kernel_kind::weighted_sum, phase::loop, domain::both) == 1);

constexpr gradient_pair gradient = split(reverse(step_of_attending, {true, true, true}));
constexpr schedule backward = make_schedule(gradient.backward, {carried_pair{4, 1}});
// Values with both axes are not kept: they are computed again, one step at a time.
constexpr bool keeps_pairs(const gradient_pair& pair) {
  domain domains[max_instructions]{};
  for (int k = 0; k < pair.forward.code.size; ++k)
    domains[k] = domain_of(pair.forward.varies, pair.forward.code[k], domains);
  for (int o : pair.forward.outputs)
    if (domains[o] == domain::both) return true;
  return false;
}
static_assert(!keeps_pairs(gradient));
// The gradient of U_a is one product after the loop, of the sum over the steps.
static_assert(kernels(backward, kernel_kind::accumulate, phase::loop, domain::both) >= 1);
static_assert(kernels(backward, kernel_kind::gradient_outer, phase::after, domain::inner) == 1);
static_assert(kernels(backward, kernel_kind::matmul_transposed, phase::after, domain::inner) == 1);

// A sum over all steps is known only after the loop: another step must not read it, later operations may.
template <bool Seen>
struct in_two_passes {
  static constexpr auto at(auto q, auto m) {
    const auto found = sum<"source">(softmax<"source">(dot(q, m)) * m);
    const auto total = sum<"target">(found);
    if constexpr (Seen) return sum<"source">(m * dot(total * q, m));
    else return sum<"source">(m * dot(total, m)) + q;
  }
};
template <bool Seen>
constexpr int waiting = ir::detail::waits_for_itself(
    trace_at<in_two_passes<Seen>>(sizes{3, 3}, {{domain::rows, domain::inner}, "target", "source"}).equations,
    {});
static_assert(waiting<true> >= 0 && waiting<false> < 0);

// A sequence that sees itself has as many steps on the second axis as on the first, and a grid stays a grid.
struct weights_of_itself {
  static constexpr auto at(auto x) {
    return as_features<"keys">(softmax<"keys">(dot<2>(x, as_axis<"keys">(x))));
  }
};
struct shifted_keys {
  static constexpr auto at(auto x) { return sum<"keys">(shift<1, "keys">(as_axis<"keys">(x)) * x); }
};
constexpr input_axes nine_steps{.varies = {domain::rows}, .time = "time", .time_bound = 9};
constexpr input_axes nine_places{
    .varies = {domain::rows}, .time = "time", .time_is_grid = true, .time_bound = 9};
constexpr traced of_itself = trace_at<weights_of_itself>(sizes{6}, nine_steps);
static_assert(!of_itself.wrong && of_itself.equations.code[of_itself.equations.outputs[0]].size == 2 * 9,
              "two weights for each of nine steps");
static_assert(!trace_at<shifted_keys>(sizes{6}, nine_steps).wrong &&
              trace_at<shifted_keys>(sizes{6}, nine_places).wrong);

// Features that are no multiple of the groups: the next multiple would do.
struct of_four_groups {
  static constexpr auto at(auto q, auto m) { return weighted_sum<"source">(dot<4>(q, m), m); }
};
constexpr problem of_six_features =
    trace_at<of_four_groups>(sizes{6, 6}, {{domain::rows, domain::inner}, "target", "source"}).wrong;
static_assert(of_six_features.expected == 8 && of_six_features.got == 6);

// Twice the steps need twice the memory, if the weights are not read.
template <int T>
using meeting_itself =
    graph<"itself", input<"x", features<16>, steps<T>>, node<"y", multi_head<16, 4>, "x">, output<"y">>;
template <int T>
constexpr double bytes =
    static_cast<double>(differentiation<meeting_itself<T>, void, batch<8>, input_gradients>::workspace_bytes);
static_assert(bytes<128> < 2.05 * bytes<64> && bytes<256> < 2.05 * bytes<128>);

}  // namespace

TEST_CASE("checked while it compiles") {}
