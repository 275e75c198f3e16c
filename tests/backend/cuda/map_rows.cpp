// Several maps of the same rows in one kernel, in the emulation of blocks and threads: whether values pass from one to the next in registers
// or through memory, the result equals that of the reference, which runs the maps one by one.
#include "tenon/backend/cuda/map_rows.hpp"

#include "support/guarded_rows.hpp"
#include "support/map_kernels.hpp"
#include "support/network.hpp"
#include "support/worse.hpp"
#include "tenon/backend/cuda/cuda.hpp"
#include "tenon/engine/run/maps_of_rows.hpp"
#include "tenon/engine/session/differentiation.hpp"
#include "tenon/engine/session/inference.hpp"
#include "tenon/graph/graph.hpp"
#include "tenon/nn/activation.hpp"
#include "tenon/nn/loss.hpp"
#include "tenon/nn/normalization.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace tenon::test {

using namespace nn;

using namespace backend::cuda_detail;

// --- what is kept where, and which stores need memory ---
// A softmax: the largest; powers and their sum; each divided by it.
template <int Width>
struct largest {
  static constexpr map_body body = [] {
    map_body b;
    b.width = Width;
    b.loads.add({});
    b.code.add({.code = opcode::input, .first = 0, .size = Width});
    b.stores.add({.local = 0, .reduction = opcode::row_max});
    return b;
  }();
};
template <int Width>
struct powers {
  static constexpr map_body body = [] {
    map_body b;
    b.width = Width;
    b.loads.add({});
    b.loads.add({.broadcast = Width > 1});
    b.code.add({.code = opcode::input, .first = 0, .size = Width});
    b.code.add({.code = opcode::input, .first = 1, .size = 1});
    b.code.add({.code = opcode::subtract, .a = 0, .b = 1, .size = Width});
    b.code.add({.code = opcode::exp, .a = 2, .size = Width});
    b.stores.add({.local = 3});
    b.stores.add({.local = 3, .reduction = opcode::row_sum});
    return b;
  }();
};
template <int Width>
struct shares {
  static constexpr map_body body = [] {
    map_body b;
    b.width = Width;
    b.loads.add({});
    b.loads.add({.broadcast = Width > 1});
    b.code.add({.code = opcode::input, .first = 0, .size = Width});
    b.code.add({.code = opcode::input, .first = 1, .size = 1});
    b.code.add({.code = opcode::divide, .a = 0, .b = 1, .size = Width});
    b.stores.add({.local = 2});
    return b;
  }();
};
using in_registers = ir::row_links<ir::numbers_in_order<-1, -1, 0, 1, 2>, ir::numbers_in_order<1, 1, 1, 0>>;
using in_memory = ir::row_links<ir::numbers_in_order<-1, -1, -2, -2, -2>, ir::numbers_in_order<0, 0, 0, 0>>;

template <int Width, class Links, class T>
void check_softmax(int steps, int rows) {
  CAPTURE(Width);
  CAPTURE(rows);
  noise random(std::uint64_t(Width + rows));
  const int all = steps * rows, gap = 3;
  guarded_rows<T> x(all, Width, Width + gap, random), e(all, Width, Width + 1), y(all, Width, Width + 2);
  guarded_rows<T> most(all, 1), sum(all, 1);
  most.fill([](int, int) { return 7; });
  const auto load = [&](const guarded_rows<T>& from) {
    return backend::operand<const T>{from.data(), from.stride, rows * from.stride};
  };
  const auto store = [&](guarded_rows<T>& to) {
    return backend::operand<T>{to.data(), to.stride, rows * to.stride};
  };
  const backend::operand<const T> loads[3][2]{{load(x), {}}, {load(x), load(most)}, {load(e), load(sum)}};
  const backend::operand<T> stores[3][2]{{store(most), {}}, {store(e), store(sum)}, {store(y), {}}};
  const backend::operand<const T>* const all_loads[]{loads[0], loads[1], loads[2]};
  const backend::operand<T>* const all_stores[]{stores[0], stores[1], stores[2]};
  maps_of_rows<Links, largest<Width>, powers<Width>, shares<Width>>(backend::cuda{}, steps, rows, all_loads,
                                                                    all_stores);
  const std::vector<double> given = x.numbers();
  std::vector<double> expected;
  for (int r = 0; r < all; ++r) {
    const double* const row = given.data() + std::ptrdiff_t(r) * Width;
    double total = 0;
    for (int j = 0; j < Width; ++j) total += std::exp(row[j]);
    for (int j = 0; j < Width; ++j) expected.push_back(std::exp(row[j]) / total);
  }
  CHECK(distance(y, expected) <= 64 * double(std::numeric_limits<T>::epsilon()));
  for (guarded_rows<T>* each : {&x, &e, &y, &most, &sum}) CHECK(each->intact());
  if constexpr (std::is_same_v<Links, in_registers>)
    CHECK(most.numbers() == std::vector<double>(std::size_t(all), 7));
}
TEST_CASE(
    "a softmax whose values stay in registers: of a warp, of a block, of a long block; no memory is written "
    "between") {
  check_softmax<1, in_registers, float>(1, 3);
  check_softmax<9, in_registers, float>(3, 5);
  check_softmax<256, in_registers, double>(1, 9);
  check_softmax<300, in_registers, float>(1, 3);
  check_softmax<4097, in_registers, float>(1, 2);
}
TEST_CASE("through memory, where links say so") {
  check_softmax<9, in_memory, float>(3, 5);
  check_softmax<300, in_memory, double>(2, 2);
  check_softmax<5000, in_memory, float>(1, 1);
}
TEST_CASE("a row that is too long for the registers goes through memory, but for its sums") {
  using fits = row_plan<in_registers, 1024, 4, named_map<largest<32768>, float>,
                        named_map<powers<32768>, float>, named_map<shares<32768>, float>>;
  static_assert(fits::in_registers() && fits::kept() == 32 && !fits::writes(0) && !fits::writes(1) &&
                !fits::writes(2) && fits::writes(3) && !fits::reads_memory_of_maps());
  using too_long = row_plan<in_registers, 1024, 4, named_map<largest<32769>, float>,
                            named_map<powers<32769>, float>, named_map<shares<32769>, float>>;
  static_assert(!too_long::in_registers() && too_long::kept() == 0 && !too_long::writes(0) &&
                too_long::writes(1) && !too_long::writes(2) && too_long::reads_memory_of_maps());
}

// --- plans ---
template <class G>
using cuda_inference = inference<G, batch<3>, on<backend::cuda>>;
template <int Width>
using softmax_of =
    graph<"softmax", input<"x", features<Width>>, node<"y", activation::softmax, "x">, output<"y">>;

template <int Width>
void check_inference() {
  CAPTURE(Width);
  constexpr int B = 3;
  noise random(Width);
  std::vector<float> x;
  for (int k = 0; k < B * Width; ++k) x.push_back(float(5 * random()));
  const std::vector<double> wide(x.begin(), x.end());
  const parameters<softmax_of<Width>> theta(zeros{});
  const parameters<softmax_of<Width>, double> theta_(zeros{});
  cuda_inference<softmax_of<Width>> ours(theta);
  inference<softmax_of<Width>, batch<B>, on<backend::reference>, scalar_type<double>> theirs(theta_);
  set_input<"x">(ours, view<const float>(x.data(), {B, Width}));
  set_input<"x">(theirs, view<const double>(wide.data(), {B, Width}));
  ours.run();
  theirs.run();
  double largest_error = 0;
  for (int r = 0; r < B; ++r)
    for (int j = 0; j < Width; ++j)
      largest_error =
          worse(largest_error, std::abs(double(get<"y">(ours)(r, j)) / double(get<"y">(theirs)(r, j)) - 1));
  CHECK(largest_error <= 1e-5);
}
TEST_CASE("a softmax of a plan is the reference's") {
  check_inference<2>();
  check_inference<300>();
  check_inference<33000>();
}

template <int Width>
using normalised = graph<"normalised", input<"x", features<Width>, steps<3>>, node<"n", layer_norm, "x">,
                         node<"y", activation::softmax, "n">, output<"y">>;
template <int Width>
void check_gradients() {
  CAPTURE(Width);
  constexpr int B = 4;
  using G = normalised<Width>;
  noise random(Width);
  std::vector<double> x, target;
  for (int k = 0; k < B * 3 * Width; ++k) {
    x.push_back(random());
    target.push_back(random());
  }
  const std::vector<int> lengths{3, 1, 2, 3};
  const parameters<G, double> theta(seed{3});
  parameters<G, double> ours(zeros{}), theirs(zeros{});
  const auto learn = [&]<class Backend>(on<Backend>, parameters<G, double>& gradients) {
    differentiation<G, losses::mse<"y">, batch<B>, on<Backend>, scalar_type<double>> session;
    set_input<"x">(session, view<const double>(x.data(), {B, 3, Width}), lengths);
    set_input<"target">(session, view<const double>(target.data(), {B, 3, Width}), lengths);
    const double loss = session.forward(theta);
    session.backward(theta, gradients);
    return loss;
  };
  CHECK(learn(on<backend::cuda>{}, ours) ==
        doctest::Approx(learn(on<backend::reference>{}, theirs)).epsilon(1e-12));
  for (int k = 0; k < parameters<G, double>::block_size; ++k)
    CHECK(ours.data()[k] == doctest::Approx(theirs.data()[k]).epsilon(1e-9));
}
TEST_CASE("gradients of a normalisation and a softmax are the reference's") {
  check_gradients<5>();
  check_gradients<300>();
}

}  // namespace tenon::test
