// Options of parameters: to which parameters each applies, and in which order.
#include "tenon/graph/scoped_rules.hpp"

#include <doctest/doctest.h>

namespace tenon::inline v0_1::ir {

namespace {

list<parameter, 4> four() {
  list<parameter, 4> all;
  for (const char* path : {"encoder.a.weight", "encoder.a.bias", "encoder2.weight", "weight"})
    all.add({.path = path, .rows = 2, .columns = matches("*bias", path) ? 0 : 3});
  return all;
}
parameter_rule starting(characters pattern, const initializer& start) {
  return {.pattern = pattern, .start = start, .starts = true};
}
parameter_rule freezing(characters pattern) { return {.pattern = pattern, .freezes = true}; }

}  // namespace

TEST_CASE("a rule is of the parameters below its layer whose names match") {
  auto parameters = four();
  scoped_rules rules;
  rules.add("encoder", freezing("*weight"));
  CHECK_FALSE(rules.apply(parameters));
  CHECK(parameters[0].frozen);
  CHECK_FALSE(parameters[1].frozen);
  CHECK_FALSE(parameters[2].frozen);  // 'encoder2' is no part of 'encoder'
  CHECK_FALSE(parameters[3].frozen);
  rules.add({}, freezing("*"));
  CHECK_FALSE(rules.apply(parameters));
  for (const parameter& p : parameters) CHECK(p.frozen);
}

TEST_CASE("the outer rule counts: it was read first, and is applied last") {
  auto parameters = four();
  parameters[1].apart = {.first = 1, .count = 1};
  scoped_rules rules;
  rules.add("encoder", starting("*bias", init::constant(1)));
  rules.add("encoder.a", starting("bias", init::constant(2)));
  CHECK(rules.size() == 2);
  CHECK_FALSE(rules.apply(parameters));
  CHECK(parameters[1].start == init::constant(1));
  CHECK(parameters[1].apart.count == 0);  // all of it starts in the same way
  CHECK(parameters[0].start == initializer{});
}

TEST_CASE("a name that nothing has, and a start that does not fit") {
  auto parameters = four();
  scoped_rules misspelt;
  misspelt.add("encoder.a", freezing("wieght"));
  const problem p = misspelt.apply(parameters);
  CHECK(p.rule == "no parameter of the layer is named 'wieght'");
  CHECK(p.where == "encoder.a");
  CHECK(p.fix == "did you mean 'weight'?");

  scoped_rules unfit;
  unfit.add("encoder.a", starting("bias", init::orthogonal()));
  CHECK(unfit.apply(parameters).where == "encoder.a.bias");
}

}  // namespace tenon::inline v0_1::ir
