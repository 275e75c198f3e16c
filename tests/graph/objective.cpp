// An objective: targets are inputs that losses can share, losses are added up, and an equation that is no loss is refused.
#include "tenon/graph/objective.hpp"

#include <doctest/doctest.h>

#include <memory>

namespace tenon::inline v0_1::ir {

namespace {

// A builder with an output of two features, edge 0.
std::unique_ptr<builder> with_output() {
  auto b = std::make_unique<builder>();
  b->within("y", [&] {
    const int y = b->add_edge({.size = 2});
    b->add_input(y);
    b->name_output("", y);
    return y;
  });
  return b;
}
template <class Equation>
int add(builder& b, const Equation&) {
  const int target = add_target(b, "target", 2, 0, -1);
  return add_mean_loss(b, trace_at<Equation>(sizes{2, 2}), {0, target});
}

struct squares {
  static constexpr auto at(auto y, auto t) { return sum(square(y - t)); }
};
struct weighted {
  static constexpr auto at(auto y, auto t) { return with<"count">(sum(square(y - t)), greater(sum(t), 0)); }
};
struct wide {
  static constexpr auto at(auto y, auto t) { return square(y - t); }
};
struct wide_count {
  static constexpr auto at(auto y, auto t) { return with<"count">(sum(y - t), t); }
};
struct both {
  static constexpr auto at(auto y, auto t) {
    return with<"count">(with<"divisor">(sum(square(y - t)), sum(t)), sum(t));
  }
};
struct learned : equations::symbols {
  static constexpr auto at(auto y, auto t) { return sum((y - t) * vector<"w">); }
};
struct flat {
  static constexpr auto at(auto y, auto t) { return sum(greater(y, t)); }
};

}  // namespace

TEST_CASE("losses share a target of one name and shape") {
  const auto b = with_output();
  const int target = add_target(*b, "target", 2, 0, -1);
  CHECK(target > 0);
  CHECK(b->net.inputs.find(target) >= 0);
  CHECK(add_target(*b, "target", 2, 0, -1) == target);
  CHECK(add_target(*b, "other", 0, 5, -1) != target);
  CHECK(b->ok());
  CHECK(add_target(*b, "target", 3, 0, -1) == -1);
  CHECK(b->wrong.rule == "the loss adds an input named 'target', and another loss adds one of another shape");
}

TEST_CASE("a target has no name of an input of the graph") {
  const auto b = with_output();
  CHECK(add_target(*b, "y", 2, 0, -1) == -1);
  CHECK(b->wrong.rule == "the loss adds an input named 'y', and the graph has one");
}

TEST_CASE("losses add up, each times the scales around it") {
  const auto b = with_output();
  add(*b, squares{});
  scale_losses(*b, 0.5, [&] {
    add(*b, weighted{});
    return scale_losses(*b, 4, [&] { return add(*b, squares{}); });
  });
  add(*b, squares{});
  REQUIRE(b->ok());
  double scales[4]{};
  int counted = 0, losses = 0;
  for (const operation& o : b->net.operations)
    if (traits_of(o.kind).counts_positions) {
      CHECK(b->net.losses[losses] == o.out[0]);
      scales[losses++] = o.scale;
      counted += o.in[1] >= 0 ? 1 : 0;
    }
  CHECK(losses == 4);
  CHECK(b->net.losses.size == 4);
  CHECK(counted == 1);
  CHECK((scales[0] == 1 && scales[1] == 0.5 && scales[2] == 2 && scales[3] == 1));
}

TEST_CASE("what is no loss") {
  const auto refused = [](const auto& equation) {
    const auto b = with_output();
    CHECK(add(*b, equation) == -1);
    return b->wrong.rule;
  };
  CHECK(refused(wide{}) == "a loss is one number at each position:");
  CHECK(refused(wide_count{}) == "what a position counts is one number, at each position that has a loss");
  CHECK(refused(both{}) == "the equation of a loss has both a count and a divisor, expected one of them");
  CHECK(refused(learned{}) == "the equation of a loss cannot have learned symbols, and this one has");
  CHECK(refused(flat{}) == "the loss has no gradient for 'y': it does not read it, or only compares it");
}

TEST_CASE("so many losses fit") {
  const auto b = with_output();
  for (int n = 0; n < b->net.losses.capacity; ++n) CHECK(add(*b, squares{}) >= 0);
  CHECK(add(*b, squares{}) == -1);
  CHECK(b->wrong.rule.view().starts_with("the objective has more than"));
}
TEST_CASE("so many targets fit") {
  const auto b = with_output();
  const auto of = [&](int n) { return add_target(*b, name("target ").append(n), 2, 0, -1); };
  for (int n = 0; n < b->losses.targets.capacity; ++n) CHECK(of(n) >= 0);
  CHECK(b->ok());
  CHECK(of(0) >= 0);  // it exists
  CHECK(of(b->losses.targets.capacity) == -1);
  CHECK(b->wrong.rule == "the objective has more than 8 targets");
}

}  // namespace tenon::inline v0_1::ir
