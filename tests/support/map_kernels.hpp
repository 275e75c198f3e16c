// Fused kernels to try a backend's map with: the LSTM's and a softmax's, traced and differentiated, and one
// of all primitives.
#pragma once

#include <tenon/equation/split.hpp>
#include <tenon/equation/trace_step.hpp>
#include <tenon/lowering/body.hpp>
#include <tenon/lowering/make_schedule.hpp>
#include <tenon/nn/cell/lstm.hpp>

#include <utility>

namespace tenon::test {

using namespace tenon::ir;

/// One kernel of a schedule, as a backend gets it.
template <class Schedule, int K>
struct kernel_of {
  static constexpr map_body body = body_of(Schedule::value, K);
};

/// Calls f(kernel) for every map of a schedule.
template <class Schedule, int K = 0, class F>
void for_each_map(F f) {
  if constexpr (K < Schedule::value.kernels.size) {
    if constexpr (Schedule::value.kernels[K].kind == kernel_kind::map) f(kernel_of<Schedule, K>{});
    for_each_map<Schedule, K + 1>(f);
  }
}

template <int Hidden>
struct lstm_step {
  static constexpr gradient_pair pair =
      split(reverse(trace_step<nn::cells::lstm>(Hidden, Hidden).equations, {true, true, true}));

  struct forward {  // inputs: x, h, c; outputs: y, h', c', saved
    static constexpr schedule value = make_schedule(pair.forward, {carried_pair{1, 1}, carried_pair{2, 2}});
  };
  struct backward {  // inputs: x, h, c, dy, dh', dc', saved; outputs: dx, dh, dc
    static constexpr schedule value = make_schedule(pair.backward, {carried_pair{4, 1}, carried_pair{5, 2}});
  };
};

struct softmax_of_products {
  static constexpr auto at(auto x, auto y) { return softmax(x * y) - max(x) * y; }
};
template <int Width>
struct softmax_step {
  static constexpr gradient_pair pair =
      split(reverse(trace_at<softmax_of_products>(sizes{Width, Width}).equations, {true, true}));

  struct forward {
    static constexpr schedule value = make_schedule(pair.forward, {});
  };
  struct backward {
    static constexpr schedule value = make_schedule(pair.backward, {});
  };
};

/// Every elementwise primitive of two features and a number for the row; the sum and the largest of the first
/// feature.
template <int Width>
struct all_primitives {
  static constexpr map_body body = [] {
    map_body b;
    b.width = Width;
    b.loads.add({});
    b.loads.add({});
    b.loads.add({.broadcast = true});
    for (int l = 0; l < 3; ++l)
      b.code.add({.code = opcode::input, .first = static_cast<short>(l), .size = Width});
    b.code.add({.code = opcode::constant, .number = 0.1});
    const auto store = [&](opcode code, short operand, opcode reduction) {
      instruction i{.code = code, .a = operand};
      if (arity(code) > 1) i.b = 1;
      if (arity(code) > 2) i.c = 2;
      const int local = reduction == opcode::copy ? b.code.add(i) : operand;
      b.stores.add({.local = static_cast<short>(local), .reduction = reduction});
    };
    for (int c = static_cast<int>(opcode::copy); c < static_cast<int>(opcode::count); ++c)
      store(static_cast<opcode>(c), 0, opcode::copy);
    store(opcode::negate, 2, opcode::copy);
    store(opcode::exp, 3, opcode::copy);
    store(opcode::copy, 0, opcode::row_sum);
    store(opcode::copy, 0, opcode::row_max);
    return b;
  }();
};

/// out_0 = a b + c, and where Reduces also its sum and largest: cheap enough for many widths.
template <int Width, bool Reduces>
struct multiply_add {
  static constexpr map_body body = [] {
    map_body b;
    b.width = Width;
    for (int l = 0; l < 3; ++l) {
      b.loads.add({});
      b.code.add({.code = opcode::input, .first = static_cast<short>(l), .size = Width});
    }
    b.code.add({.code = opcode::multiply, .a = 0, .b = 1, .size = Width});
    b.code.add({.code = opcode::add, .a = 3, .b = 2, .size = Width});
    b.stores.add({.local = 4});
    if (!Reduces) return b;
    b.stores.add({.local = 4, .reduction = opcode::row_sum});
    b.stores.add({.local = 4, .reduction = opcode::row_max});
    return b;
  }();
};

}  // namespace tenon::test
