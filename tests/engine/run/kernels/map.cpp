// Maps: where a kernel's loads and stores are, in a stage, too; how sums over steps begin; and a run of one by hand.
#include "tenon/engine/run/kernels/map.hpp"

#include "tenon/backend/cpu/cpu.hpp"
#include "tenon/backend/reference/reference.hpp"
#include "tenon/lowering/body.hpp"
#include "tenon/lowering/make_schedule.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstring>
#include <vector>

namespace tenon::inline v0_1::engine::detail {

namespace {

constexpr int rows = 2, width = 3, bound = 4;

// A kernel with three stores: one writes, one adds to what is there, one sums over the steps.
struct three_stores {
  static constexpr map_body body = [] {
    map_body b;
    b.width = width;
    b.stores.add({});
    b.stores.add({.adds = true});
    b.stores.add({.over_steps = true});
    return b;
  }();
};
constexpr map_body only(const map_store& s) {
  map_body b;
  b.stores.add(s);
  return b;
}
constexpr map_body writes = only({}), adds = only({.adds = true}), sums = only({.over_steps = true});
static_assert(!sums_steps(writes) && !sums_steps(adds) && sums_steps(sums) && sums_steps(three_stores::body));
static_assert(!adds_up(writes) && adds_up(adds) && adds_up(sums));

// y = a b + 1 of two inputs, the second of which has no steps.
struct one_map {
  static constexpr schedule value = [] {
    program p;
    p.inputs.add(width);
    p.inputs.add(width);
    p.varies.add(domain::rows);
    p.varies.add(domain::batch);
    p.code.add({.code = opcode::input, .first = 0, .size = width});
    p.code.add({.code = opcode::input, .first = 1, .size = width});
    p.code.add({.code = opcode::multiply, .a = 0, .b = 1, .size = width});
    p.code.add({.code = opcode::constant, .size = width, .number = 1});
    p.code.add({.code = opcode::add, .a = 2, .b = 3, .size = width});
    p.outputs.add(4);
    return make_schedule(p, {});
  }();
};

// y = (W x) v + z in one stage, with a parameter v, so that the map reads z alone from memory.
constexpr int units = 7;
struct one_stage {
  static constexpr schedule value = [] {
    program p;
    p.symbols.add({.letter = "W", .rows = units, .columns = width});
    p.symbols.add({.letter = "v", .rows = units});
    for (int size : {width, units}) {
      p.inputs.add(size);
      p.varies.add(domain::rows);
    }
    p.code.add({.code = opcode::input, .first = 0, .size = width});
    p.code.add({.code = opcode::matmul, .a = 0, .first = 0, .size = units});
    p.code.add({.code = opcode::vector, .first = 1, .size = units});
    p.code.add({.code = opcode::multiply, .a = 1, .b = 2, .size = units});
    p.code.add({.code = opcode::input, .first = 1, .size = units});
    p.code.add({.code = opcode::add, .a = 3, .b = 4, .size = units});
    p.outputs.add(5);
    const stage_limits limits = backend::limits_of_stages(backend::cpu{}, rows);
    return with_stages(make_schedule(p, {}), limits, limits);
  }();
};
constexpr int map_of_stage = [] {
  for (int k = 0; k < one_stage::value.kernels.size; ++k)
    if (one_stage::value.kernels[k].kind == kernel_kind::map) return k;
  return -1;
}();

}  // namespace

TEST_CASE("what a stage computes or has packed is loaded from nowhere") {
  constexpr program_counts counts{.inputs = 2, .outputs = 1, .buffers = one_stage::value.buffers.size};
  constexpr map_view body = kernel_body<one_stage, map_of_stage>::body;
  std::vector<double> z(bound * rows * units), y(z.size());
  program_memory<double, counts> m;
  std::memset(static_cast<void*>(&m), 0x7f, sizeof m);  // no place but these two is known
  m.batch = m.rows = rows;
  m.in[1] = {z.data(), units, rows * units};
  m.out[0] = {y.data(), units, rows * units};
  backend::operand<const double> loads[body.loads.size];
  backend::operand<double> stores[body.stores.size];
  find_operands<one_stage, map_of_stage>(m, 2, loads, stores);
  int of_products = 0, packed = 0, in_memory = 0;
  for (int l = 0; l < body.loads.size; ++l) {
    of_products += body.loads[l].sum >= 0;
    packed += body.loads[l].packed >= 0;
    if (body.loads[l].sum >= 0 || body.loads[l].packed >= 0) {
      CHECK(loads[l].data == nullptr);
    } else {
      ++in_memory;
      CHECK(loads[l].data == z.data() + 2 * rows * units);
    }
  }
  CHECK(of_products == 1);
  CHECK(packed == 1);
  CHECK(in_memory == 1);
  CHECK(stores[0].data == y.data() + 2 * rows * units);
}

TEST_CASE("a sum over steps begins at zero, or goes on; its rows are the same at every step") {
  for (const bool continues : {false, true}) {
    std::vector<double> numbers(3 * rows * width, 5.0);
    backend::operand<double> stores[3];
    for (int s = 0; s < 3; ++s) stores[s] = {numbers.data() + s * rows * width, width, 100};
    begin_sums<three_stores, backend::reference>(rows, continues, stores);
    CHECK(stores[0].step == 100);
    CHECK(stores[1].step == 100);
    CHECK(stores[2].step == 0);
    for (std::size_t k = 0; k < numbers.size(); ++k)
      CHECK(numbers[k] == (k >= 2 * rows * width && !continues ? 0 : 5));
  }
}

TEST_CASE("one map over the steps of an input and the rows of another") {
  constexpr program_counts counts{.inputs = 2, .outputs = 1};
  std::vector<double> a(bound * rows * width), b(rows * width), y(a.size());
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = static_cast<double>(k);
  for (std::size_t k = 0; k < b.size(); ++k) b[k] = 0.5 - static_cast<double>(k);
  program_memory<double, counts> m{};
  m.batch = m.rows = rows;
  m.in[0] = {a.data(), width, rows * width};
  m.in[1] = {b.data(), width, 0};
  m.out[0] = {y.data(), width, rows * width};
  static_assert(one_map::value.kernels.size == 1 && one_map::value.kernels[0].kind == kernel_kind::map);
  run_map<one_map, 0, backend::reference>(m, 1, 2);  // two steps, from the second on
  for (int t = 0; t < bound; ++t)
    for (int k = 0; k < rows * width; ++k) {
      const auto at = static_cast<std::size_t>(t * rows * width + k);
      CHECK(y[at] == (t == 1 || t == 2 ? a[at] * b[static_cast<std::size_t>(k)] + 1 : 0));
    }
}

}  // namespace tenon::inline v0_1::engine::detail
