// Fused kernels on the CPU backend against the reference in double.
#include <tenon/backend/cpu/map.hpp>
#include <tenon/backend/reference/map.hpp>

#include "support/guarded_rows.hpp"
#include "support/map_kernels.hpp"

#include <doctest/doctest.h>

#include <memory>

using namespace tenon;
using namespace tenon::test;
using backend::cpu;
using backend::operand;
using backend::reference;

namespace {

/// All rows of all steps, the same row for all (a parameter), or one row for each sequence.
enum class layout { all_rows, one_row, one_step };

template <class T>
constexpr double near_enough = std::is_same_v<T, float> ? 2e-6 : 2e-13;  // erf in double; the rest keeps 1e-15

template <class T>
using map_function = void (*)(int steps, int rows, const operand<const T>* loads, const operand<T>* stores);

/// One kernel, as both backends run it; the check itself is compiled once for all kernels.
template <class T>
void check_map(const map_body& body, map_function<T> on_cpu, map_function<double> on_reference, int steps, int rows, int gap,
               layout first_load) {
  const int width = body.width;
  CAPTURE(width);
  CAPTURE(steps);
  CAPTURE(rows);
  CAPTURE(gap);
  noise random(static_cast<std::uint64_t>(width + rows));
  std::vector<std::unique_ptr<guarded_rows<T>>> in, out;
  std::vector<std::vector<double>> in_, out_;
  operand<const T> loads[32];
  operand<T> stores[32];
  operand<const double> loads_[32];
  operand<double> stores_[32];
  for (int l = 0; l < body.loads.size; ++l) {
    const int features = body.loads[l].broadcast ? 1 : width;
    const layout of = l == 0 ? first_load : layout::all_rows;
    const int stored = of == layout::all_rows ? steps * rows : of == layout::one_step ? rows : 1;
    in.push_back(std::make_unique<guarded_rows<T>>(stored, features, features + gap, random));
    in_.push_back(in.back()->numbers());
    const int row = of == layout::one_row ? 0 : 1, step = of == layout::all_rows ? rows : 0;
    loads[l] = {in.back()->data(), row * (features + gap), step * (features + gap)};
    loads_[l] = {in_.back().data(), row * features, step * features};
  }
  for (int s = 0; s < body.stores.size; ++s) {
    const int features = body.stores[s].reduction == op::copy ? width : 1;
    out.push_back(std::make_unique<guarded_rows<T>>(steps * rows, features, features + gap));
    out_.emplace_back(static_cast<std::size_t>(steps * rows * features));
    stores[s] = {out.back()->data(), features + gap, rows * (features + gap)};
    stores_[s] = {out_.back().data(), features, rows * features};
  }
  on_cpu(steps, rows, loads, stores);
  on_reference(steps, rows, loads_, stores_);
  for (int s = 0; s < body.stores.size; ++s) {
    CAPTURE(s);
    const bool sums = body.stores[s].reduction == op::row_sum;
    const std::size_t at = static_cast<std::size_t>(s);
    CHECK(distance(*out[at], out_[at]) <= near_enough<T> * (sums ? width : 1));
    CHECK(out[at]->intact());
  }
}
template <class Kernel, class T>
void check_map(int steps, int rows, int gap, layout first_load = layout::all_rows) {
  check_map<T>(
      Kernel::body, [](int t, int r, auto* loads, auto* stores) { backend::map<Kernel>(cpu{}, t, r, loads, stores); },
      [](int t, int r, auto* loads, auto* stores) { backend::map<Kernel>(reference{}, t, r, loads, stores); }, steps, rows, gap,
      first_load);
}

template <int Width, class T>
void check_width() {
  for (int rows : {1, 2, 5, 8})
    for (int steps : {1, 3})
      for (int gap : {0, 3}) {
        check_map<multiply_add<Width, false>, T>(steps, rows, gap);
        check_map<multiply_add<Width, true>, T>(steps, rows, gap);
        check_map<multiply_add<Width, false>, T>(steps, rows, gap, layout::one_row);
        check_map<multiply_add<Width, false>, T>(steps, rows, gap, layout::one_step);
      }
}

template <int Width>
struct gates {
  static constexpr map_body body = [] {
    map_body b;
    b.width = Width;
    b.loads.add({});
    b.code.add({.code = op::input, .first = 0, .size = Width});
    b.code.add({.code = op::tanh, .a = 0, .size = Width});
    b.code.add({.code = op::sigmoid, .a = 1, .size = Width});
    b.stores.add({.local = 2});
    return b;
  }();
};

}  // namespace

TEST_CASE("every width") {
  check_width<1, float>();
  check_width<7, float>();
  check_width<8, float>();
  check_width<13, float>();
  check_width<16, float>();
  check_width<17, float>();
  check_width<33, float>();
  check_width<64, float>();
  check_width<100, float>();
  check_width<128, float>();
}
TEST_CASE("every width in double") {
  check_width<1, double>();
  check_width<7, double>();
  check_width<8, double>();
  check_width<33, double>();
}

TEST_CASE_TEMPLATE("every primitive", T, float, double) { check_map<all_primitives<21>, T>(2, 3, 4); }

TEST_CASE_TEMPLATE("the kernels of an LSTM and of a softmax", T, float, double) {
  const auto check = [](auto kernel) {
    check_map<decltype(kernel), T>(3, 5, 0);
    check_map<decltype(kernel), T>(2, 1, 1);
  };
  for_each_map<lstm_step<10>::forward>(check);
  for_each_map<lstm_step<10>::backward>(check);
  for_each_map<softmax_step<9>::forward>(check);
  for_each_map<softmax_step<9>::backward>(check);
}

TEST_CASE("a store may stand where a load stands") {
  constexpr int width = 19, rows = 4;
  noise random(3);
  guarded_rows<float> a(rows, width, 20, random), b(rows, width, 20, random), c(rows, width, 20, random), out(rows, width, 20);
  const operand<const float> loads[]{{a.data(), 20, 0}, {b.data(), 20, 0}, {c.data(), 20, 0}};
  const operand<float> apart[]{{out.data(), 20, 0}}, over_a[]{{a.data(), 20, 0}};
  backend::map<multiply_add<width, false>>(cpu{}, 1, rows, loads, apart);
  backend::map<multiply_add<width, false>>(cpu{}, 1, rows, loads, over_a);
  CHECK(a.numbers() == out.numbers());
  CHECK(a.intact());
}

TEST_CASE("a feature gives the same bits wherever in a vector it stands") {
  constexpr int width = 37, rows = 3;  // without gaps, the rows begin at the lanes 0, 37 and 74 of one long row
  noise random(4);
  guarded_rows<float> one(1, width, 0, random), in(rows, width), dense(rows, width), apart(rows, width, 40);
  in.fill([&](int, int j) { return one(0, j); });
  const operand<const float> load{in.data(), width, 0};
  const operand<float> to_dense{dense.data(), width, 0}, to_apart{apart.data(), 40, 0};
  backend::map<gates<width>>(cpu{}, 1, rows, &load, &to_dense);
  backend::map<gates<width>>(cpu{}, 1, rows, &load, &to_apart);
  CHECK(dense.numbers() == apart.numbers());
  for (int r = 1; r < rows; ++r)
    for (int j = 0; j < width; ++j) CHECK(std::equal_to<>{}(dense(r, j), dense(0, j)));
}
