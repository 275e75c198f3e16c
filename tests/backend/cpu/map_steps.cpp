// Maps whose rows meet the same operands at every step, against the reference in double.
#include "support/check_map.hpp"
#include <tenon/backend/cpu/map_steps.hpp>

using namespace tenon;
using namespace tenon::test;

namespace {

// As in the gradient of attention: y = w g + k (x - q), with x and w of each step, and g, q and k of each row.
template <int Width, op Function = op::copy>
struct mixed {
  static constexpr map_body body = [] {
    map_body b;
    b.width = Width;
    const auto load = [&](bool broadcast, bool timeless) {
      const int l = b.loads.add({.broadcast = broadcast, .timeless = timeless});
      return short(b.code.add({.code = op::input, .first = l, .size = broadcast ? 1 : Width}));
    };
    const auto line = [&](op code, short left, short right = -1) {
      return short(b.code.add({.code = code, .a = left, .b = right, .size = Width}));
    };
    const short x = load(false, false), w = load(true, false), g = load(false, true), q = load(false, true),
                k = load(true, true);
    const short y = line(op::add, line(op::multiply, w, g), line(op::multiply, k, line(op::subtract, x, q)));
    b.stores.add({.local = line(Function, y)});
    b.stores.add({.local = y, .reduction = op::row_sum});
    b.stores.add({.local = y, .reduction = op::row_max});
    return b;
  }();
};
// The first store alone: a row need not be seen as a whole.
template <int Width>
struct not_reduced {
  static constexpr map_body body = [] {
    map_body b = mixed<Width>::body;
    b.stores.size = 1;
    return b;
  }();
};
template <class Kernel, class T = float>
using steps_of = backend::detail::steps_of_rows<Kernel, T, primitive>;

constexpr int size = backend::simd::vector<float>::size;
static_assert(steps_of<mixed<3 * size>>::held == 2 && steps_of<mixed<3 * size>>::together == 3);
static_assert(steps_of<mixed<3 * size>>::pays);
static_assert(!steps_of<mixed<400 * size>>::pays, "a row that is reduced has to fit into the registers");
static_assert(steps_of<not_reduced<400 * size>>::pays, "others go through in blocks");
static_assert(!steps_of<mixed<3 * size, op::tanh>>::pays, "where much is computed, loads cost nothing");

template <int Width, class T>
void check_width() {
  for (int rows : {1, 3, 8})
    for (int steps : {0, 1, 2, 7})
      for (int gap : {0, 3}) {
        check_map<mixed<Width>, T>(steps, rows, gap);
        check_map<not_reduced<Width>, T>(steps, rows, gap);
      }
}

}  // namespace

TEST_CASE_TEMPLATE("rows that meet the same operands at every step", T, float, double) {
  check_width<1, T>();
  check_width<2, T>();
  check_width<7, T>();
  check_width<16, T>();
  check_width<19, T>();
  check_width<64, T>();
  check_width<133, T>();
}
