// Products of windows that are read in place: which kernels of an equation and of its gradient these are.
#include <tenon/equation/split.hpp>
#include <tenon/equation/trace.hpp>
#include <tenon/lowering/make_schedule.hpp>
#include <tenon/lowering/window_products.hpp>

#include <doctest/doctest.h>

using namespace tenon;
using namespace tenon::ir;

namespace {

struct convolution : equations::symbols {
  static constexpr auto at(auto x) { return tanh(W<"h", 4>(x) + b<"h">); }
};
struct beside_another : equations::symbols {
  static constexpr auto at(auto x, auto y) { return tanh(W<"h", 4>(x) + U<"h", 4>(y)); }
};
constexpr int neighbours = 3;

template <class Equation>
constexpr gradient_pair gradient(const sizes& features, const list<bool, max_program_inputs>& wanted) {
  return split(reverse(trace_at<Equation>(features).equations, wanted));
}
constexpr schedule with_windows(const program& p, bool gives_adjoint) {
  return with_window_products(make_schedule(p, {}), neighbours, gives_adjoint);
}
constexpr int count(const schedule& s, kernel_kind kind, int of) {
  int n = 0;
  for (const kernel& k : s.kernels) n += k.kind == kind && k.neighbours == of;
  return n;
}
constexpr int count_windows(const schedule& s) {
  int n = 0;
  for (const kernel& k : s.kernels) n += k.neighbours > 0;
  return n;
}

constexpr gradient_pair alone = gradient<convolution>(sizes{6}, {true});
constexpr schedule forward = with_windows(alone.forward, false);
static_assert(count(forward, kernel_kind::matmul, neighbours) == 1 && count_windows(forward) == 1);
static_assert(runs_in_blocks_of_windows(forward), "a product and a map: some windows at a time");
static_assert(!runs_in_blocks_of_windows(make_schedule(alone.forward, {})), "no windows, no blocks of them");

static_assert(runs_in_blocks_of_windows(with_window_products(make_schedule(alone.forward, {}), 1, false)),
              "a window of one place is one, too");

// Backward: the gradient of the weights reads windows, the adjoint of the windows goes to the places; the bias's gradient does neither.
constexpr schedule backward = with_windows(alone.backward, true);
static_assert(count(backward, kernel_kind::gradient_outer, neighbours) == 1);
static_assert(count(backward, kernel_kind::matmul_transposed, neighbours) == 1);
static_assert(count(backward, kernel_kind::gradient_sum, 0) == 1 && count_windows(backward) == 2);

// What has one value for all windows runs on other rows than these, and once for all steps of a stream: it is in no block of windows.
struct scaled_convolution : equations::symbols {
  static constexpr auto at(auto x, auto y) { return W<"h", 4>(x) * exp(y); }
};
constexpr schedule scaled(domain of_scale, bool once) {
  program p = trace_at<scaled_convolution>(sizes{6, 4}).equations;
  p.varies = {domain::rows, of_scale};
  return with_window_products(make_schedule(p, {}, 0, once), neighbours, false);
}
constexpr int count(const schedule& s, phase when) {
  int n = 0;
  for (const kernel& k : s.kernels) n += k.when == when;
  return n;
}
static_assert(runs_in_blocks_of_windows(scaled(domain::rows, false)));
static_assert(count(scaled(domain::batch, false), phase::once) == 0 &&
              !runs_in_blocks_of_windows(scaled(domain::batch, false)));
static_assert(count(scaled(domain::batch, true), phase::once) == 1 &&
              !runs_in_blocks_of_windows(scaled(domain::batch, true)));

// If the adjoint is not needed there is none, and the gradient of the weights stays.
constexpr schedule of_weights = with_windows(gradient<convolution>(sizes{6}, {false}).backward, false);
static_assert(count(of_weights, kernel_kind::gradient_outer, neighbours) == 1 &&
              count_windows(of_weights) == 1);

// A product with another input is not a product of windows, and runs on all rows at once.
constexpr schedule two = with_windows(gradient<beside_another>(sizes{6, 5}, {true, true}).forward, false);
static_assert(count(two, kernel_kind::matmul, neighbours) == 1 && count(two, kernel_kind::matmul, 0) == 1);
static_assert(!runs_in_blocks_of_windows(two));

// Of two products, one after the other, only the first reads windows: forward, and backward.
struct two_layers : equations::symbols {
  static constexpr auto at(auto x) { return W<"o", 5>(tanh(W<"h", 4>(x))); }
};
constexpr gradient_pair of_two_layers = gradient<two_layers>(sizes{6}, {true});
constexpr schedule two_forward = with_windows(of_two_layers.forward, false);
static_assert(count(two_forward, kernel_kind::matmul, neighbours) == 1 && count_windows(two_forward) == 1);
constexpr schedule two_backward = with_windows(of_two_layers.backward, true);
static_assert(count(two_backward, kernel_kind::gradient_outer, neighbours) == 1 &&
              count(two_backward, kernel_kind::gradient_outer, 0) == 1);
static_assert(count(two_backward, kernel_kind::matmul_transposed, neighbours) == 1 &&
              count(two_backward, kernel_kind::matmul_transposed, 0) == 1);

TEST_CASE("products of windows are told from others") { CHECK(count_windows(forward) == 1); }

}  // namespace
