// The axes along which the results of an equation vary: those of the sources from which each result is computed, counted here by hand for
// every choice of sources.
#include <tenon/graph/builder.hpp>
#include <tenon/graph/equation_axes.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace tenon::test {

// Sequences "a" and "b" along one axis, "c" along another; "v" has none.
struct four_sources {
  std::unique_ptr<ir::builder> all = std::make_unique<ir::builder>();
  int source = all->time_axis_of("source", 5), target = all->time_axis_of("target", 7);
  int a = all->add_edge({.path = "a", .size = 2, .axis = source});
  int b = all->add_edge({.path = "b", .size = 2, .axis = source});
  int c = all->add_edge({.path = "c", .size = 2, .axis = target});
  int v = all->add_edge({.path = "v", .size = 2});

  int axis_of(int edge) const { return all->net.edges[edge].axis; }
};

// The first result reads the first and the second source, the next the second and the third, the last only the third.
const std::vector<std::vector<int>> reads{{0, 1}, {1, 2}, {2}};
const auto three_results = [](const auto& x) {
  return ir::list<ir::value, 8>{x[0] + x[1], x[1] * x[2], 2 * x[2]};
};

TEST_CASE("a result varies along the axes of what it is computed from") {
  const four_sources s;
  const std::vector<int> any{s.a, s.b, s.c, s.v};
  const ir::traced t = ir::trace(ir::sizes{2, 2, 2}, {}, {}, three_results);
  REQUIRE(!t.wrong);
  int right = 0, different = 0, same = 0;
  for (int x : any)
    for (int y : any)
      for (int z : any) {
        const std::vector<int> in{x, y, z};
        std::vector<std::set<int>> axes;  // of each result
        for (const std::vector<int>& one : reads) {
          axes.emplace_back();
          for (int k : one)
            if (const int axis = s.axis_of(in[std::size_t(k)]); axis >= 0) axes.back().insert(axis);
        }
        bool is_of_pairs = false, has_sequence = false;
        for (const auto& one : axes) is_of_pairs = is_of_pairs || one.size() > 1;
        for (int e : in) has_sequence = has_sequence || s.axis_of(e) >= 0;

        ir::program p = t.equations;
        ir::applied_equation made;
        const ir::edges edges{x, y, z};
        const std::string wrong(ir::find_axes(s.all->net, edges, p, made).rule.view());
        INFO(x, y, z, " ", wrong);
        if (is_of_pairs) {
          ++different;
          CHECK(wrong == "the sources have different time axes");
        } else if (axes[0].empty() && has_sequence) {
          ++same;
          CHECK(wrong.starts_with("the result is the same at every step"));
        } else {
          ++right;
          CHECK(wrong.empty());
          REQUIRE(made.varies.size == 3);
          const ir::meeting_axes found = ir::meet(s.all->net, edges);
          for (int r = 0; r < 3; ++r)
            CHECK(ir::axis_along(made.varies[r], found) ==
                  (axes[std::size_t(r)].empty() ? -1 : *axes[std::size_t(r)].begin()));
          CHECK(!made.has_turn);
        }
      }
  CHECK(right + different + same == 64);
  CHECK(std::min({right, different, same}) > 2);
}

TEST_CASE("what an equation was traced along is kept") {
  const four_sources s;
  ir::program p = ir::trace(ir::sizes{2, 2}, {}, {}, [](const auto& x) {
                    return ir::list<ir::value, 8>{x[0] + x[1]};
                  }).equations;
  p.varies.add(ir::domain::batch);
  p.varies.add(ir::domain::batch);
  ir::applied_equation made;
  const std::string wrong(ir::find_axes(s.all->net, {s.a, s.v}, p, made).rule.view());
  CHECK(wrong.starts_with("the result is the same at every step"));
  REQUIRE(p.varies.size == 2);
  CHECK(p.varies[0] == ir::domain::batch);
}

TEST_CASE("a turned sequence is seen whole, unless another is") {
  const four_sources s;
  const auto sees_itself = [](const auto& x) {
    return ir::list<ir::value, 8>{x[0] * sum<"own">(ir::as_axis<"own">(x[0]))};
  };
  const ir::edges in{s.a};
  const ir::traced t = ir::trace(ir::sizes{2}, {}, {}, sees_itself,
                                 ir::input_axes_of(s.all->net, in, ir::meet(s.all->net, in)));
  INFO(std::string(t.wrong.rule.view()));
  REQUIRE(!t.wrong);
  ir::program p = t.equations;
  ir::applied_equation made;
  CHECK(!ir::find_axes(s.all->net, in, p, made));
  CHECK(made.has_turn);
  for (const bool has_turn : {false, true})
    for (const int inner : {-1, s.target}) {
      ir::meeting_axes found{.time = s.source, .inner = inner};
      ir::see_turned(found, has_turn);
      CHECK(found.time == s.source);
      CHECK(found.inner == (inner < 0 && has_turn ? s.source : inner));
    }
}

TEST_CASE("a mistake speaks of an edge by its path, and of a state by its number") {
  const four_sources s;
  const auto named = [&](const char* source, const ir::edges& in) {
    ir::traced t;
    t.wrong = {.rule = "something is wrong"};
    t.wrong.source.append(source);
    ir::name_inputs(t, s.all->net, in);
    return std::string(t.wrong.source.view());
  };
  CHECK(named("input 1", {s.v, s.c}) == "c");
  CHECK(named("input 0", {s.v, s.c}) == "v");
  CHECK(named("input 2", {s.v, -1, -1}) == "state 1");
  CHECK(named("weight", {s.v, s.c}) == "weight");
  ir::traced right;
  ir::name_inputs(right, s.all->net, {s.v});
  CHECK(right.wrong.source.empty());
}

}  // namespace tenon::test
