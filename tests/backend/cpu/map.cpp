// Fused kernels of every width on the CPU backend, against the reference in double.
#include "support/check_map.hpp"
#include "support/map_kernels.hpp"
#include <tenon/backend/cpu/map.hpp>

using namespace tenon;
using namespace tenon::test;
using backend::cpu;
using backend::operand;

namespace {

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
    b.code.add({.code = opcode::input, .first = 0, .size = Width});
    b.code.add({.code = opcode::tanh, .a = 0, .size = Width});
    b.code.add({.code = opcode::sigmoid, .a = 1, .size = Width});
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

TEST_CASE("a store may stand where a load stands") {
  constexpr int width = 19, rows = 4;
  noise random(3);
  guarded_rows<float> a(rows, width, 20, random), b(rows, width, 20, random), c(rows, width, 20, random),
      out(rows, width, 20);
  const operand<const float> loads[]{{a.data(), 20, 0}, {b.data(), 20, 0}, {c.data(), 20, 0}};
  const operand<float> apart[]{{out.data(), 20, 0}}, over_a[]{{a.data(), 20, 0}};
  backend::map<multiply_add<width, false>>(cpu{}, 1, rows, loads, apart);
  backend::map<multiply_add<width, false>>(cpu{}, 1, rows, loads, over_a);
  CHECK(a.numbers() == out.numbers());
  CHECK(a.intact());
}

template <int Width, bool OverSteps>
struct adding {
  static constexpr map_body body = [] {
    map_body b = multiply_add<Width, false>::body;
    b.stores[0].adds = !OverSteps;
    b.stores[0].over_steps = OverSteps;
    return b;
  }();
};
template <int Width, bool OverSteps, class T>
void check_adding(int gap) {
  constexpr int steps = 3, rows = 5;
  constexpr int stride = Width;
  noise random(5);
  guarded_rows<T> a(steps * rows, Width, stride + gap, random), b(steps * rows, Width, stride + gap, random),
      c(steps * rows, Width, stride + gap, random), plain(steps * rows, Width, stride + gap),
      sum(steps * rows, Width, stride + gap, random);
  const auto at = [&](auto& rows_of) {
    return operand<T>{rows_of.data(), stride + gap, rows * (stride + gap)};
  };
  const auto from = [&](auto& rows_of) {
    return operand<const T>{rows_of.data(), stride + gap, rows * (stride + gap)};
  };
  const operand<const T> loads[]{from(a), from(b), from(c)};
  const operand<T> to_plain[]{at(plain)};
  operand<T> to_sum[]{at(sum)};
  if (OverSteps) to_sum[0].step = 0;
  std::vector<double> expected = sum.numbers();
  backend::map<multiply_add<Width, false>>(cpu{}, steps, rows, loads, to_plain);
  backend::map<adding<Width, OverSteps>>(cpu{}, steps, rows, loads, to_sum);
  for (int r = 0; r < steps * rows; ++r)
    for (int j = 0; j < Width; ++j)
      expected[std::size_t((OverSteps ? r % rows : r) * Width + j)] += plain(r, j);
  CHECK(distance(sum, expected) <= near_enough<T>);
  CHECK(sum.intact());
}
TEST_CASE("a store may add to what stands there, and sum over steps") {
  for (int gap : {0, 3}) {
    check_adding<16, false, float>(gap), check_adding<16, true, float>(gap);
    check_adding<19, false, float>(gap), check_adding<19, true, float>(gap);
    check_adding<5, false, double>(gap), check_adding<5, true, double>(gap);
  }
}

TEST_CASE("a feature gives the same bits wherever in a vector it stands") {
  constexpr int width = 37,
                rows = 3;  // without gaps, the rows begin at the lanes 0, 37 and 74 of one long row
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
