// The body of one map of a schedule: what it loads, computes and stores.
#include <tenon/equation/trace.hpp>
#include <tenon/lowering/body.hpp>
#include <tenon/lowering/make_schedule.hpp>

#include <doctest/doctest.h>

using namespace tenon;
using namespace tenon::ir;

namespace {

// The last sum of a fused chain is stored once per row; the chain itself is not stored.
struct reduced {
  static constexpr auto at(auto x) { return sum(tanh(x) * x); }
};
constexpr map_body chain = body_of(make_schedule(trace_at<reduced>(sizes{3}).equations, {}), 0);
static_assert(chain.width == 3 && chain.loads.size == 1 && !chain.loads[0].broadcast);
static_assert(chain.stores.size == 1 && chain.stores[0].reduction == opcode::row_sum);

// One number for each row is a broadcast load; operands that are the same at every step are marked.
struct scaled {
  static constexpr auto at(auto s, auto h) { return sum(s) * h; }
};
constexpr schedule two_maps = [] {
  program p = trace_at<scaled>(sizes{4, 4}).equations;
  p.varies = {domain::batch, domain::rows};
  return make_schedule(p, {});
}();
static_assert(two_maps.kernels.size == 2 && two_maps.kernels[0].over == domain::batch &&
              two_maps.kernels[1].over == domain::rows);
constexpr map_body product = body_of(two_maps, 1);
constexpr int loads(const map_body& b, bool broadcast, bool invariant) {
  int n = 0;
  for (const map_load& l : b.loads) n += l.broadcast == broadcast && l.invariant == invariant;
  return n;
}
static_assert(product.loads.size == 2 && loads(product, true, true) == 1 &&
              loads(product, false, false) == 1);
static_assert(product.stores.size == 1 && product.stores[0].to.in == space::output);

// Arithmetic of single numbers is repeated in every map that reads it.
struct halved {
  static constexpr auto at(auto w, auto x, auto y) { return concat((0.5 * w) * x, (0.5 * w) * y); }
};
constexpr schedule of_two_widths = make_schedule(trace_at<halved>(sizes{1, 3, 2}).equations, {});
static_assert(of_two_widths.kernels.size == 2);
constexpr int products(const map_body& b) {
  int n = 0;
  for (const instruction& i : b.code) n += i.code == opcode::multiply;
  return n;
}

}  // namespace

TEST_CASE("arithmetic of single numbers is repeated in every map that reads it") {
  CHECK(products(body_of(of_two_widths, 0)) == 2);
  CHECK(products(body_of(of_two_widths, 1)) == 2);
}
