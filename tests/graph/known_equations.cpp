// A traced equation is found again if everything that identifies it is the same, and only then.
#include <tenon/graph/known_equations.hpp>

#include <doctest/doctest.h>

#include <memory>

using namespace tenon;
using namespace tenon::ir;

namespace {

constexpr int one_type = 0, another_type = 0;  // identified by their addresses

}  // namespace

TEST_CASE("a layer's program is found by its type and its features") {
  const auto known = std::make_unique<known_equations>();
  CHECK(known->find(&one_type, 3) == -1);
  known->keep(&one_type, 3, 8);
  known->keep(&one_type, 4, 9);
  known->keep(&another_type, 3, 10);
  CHECK(known->find(&one_type, 3) == (addresses_tell_types ? 8 : -1));
  CHECK(known->find(&one_type, 4) == (addresses_tell_types ? 9 : -1));
  CHECK(known->find(&another_type, 3) == (addresses_tell_types ? 10 : -1));
  CHECK(known->find(&another_type, 4) == -1);
}

TEST_CASE("an equation is found by its type, the features and axes of its sources, and how it was traced") {
  const auto known = std::make_unique<known_equations>();
  sizes two, three;
  two.add(2);
  three.add(3);
  input_axes none, rows;
  none.varies.add(domain::batch);
  rows.varies.add(domain::rows);
  applied_equation made;
  int program = 0;
  const auto keep = [&](const int* type, const sizes& features, const input_axes& along, bool has_axes) {
    made.program = ++program;
    known->keep(type, features, along, has_axes, made);
  };
  const auto found = [&](const int* type, const sizes& features, const input_axes& along, bool has_axes) {
    const applied_equation* const there = known->find(type, features, along, has_axes);
    return there == nullptr ? -1 : there->program;
  };
  keep(&one_type, two, none, false);
  keep(&one_type, two, rows, false);
  keep(&one_type, three, none, false);
  if (addresses_tell_types) {
    CHECK(found(&one_type, two, none, false) == 1);
    CHECK(found(&one_type, two, rows, false) == 2);
    CHECK(found(&one_type, three, none, false) == 3);
  }
  CHECK(found(&one_type, three, rows, false) == -1);
  CHECK(found(&one_type, two, none, true) == -1);
  CHECK(found(&another_type, two, none, false) == -1);
}

TEST_CASE("what there is no room for is not kept, and what was kept stays") {
  const auto known = std::make_unique<known_equations>();
  sizes features;
  features.add(1);
  for (int n = 0; n < 100; ++n) {
    applied_equation made;
    made.program = n;
    known->keep(&one_type, n, n);
    features[0] = n;
    known->keep(&one_type, features, {}, false, made);
  }
  features[0] = 0;
  CHECK(known->find(&one_type, 0) == (addresses_tell_types ? 0 : -1));
  CHECK((known->find(&one_type, features, {}, false) != nullptr) == addresses_tell_types);
  CHECK(known->find(&one_type, 99) == -1);
}

TEST_CASE("results have names of their own") {
  applied_equation made;
  CHECK(!unfit_results(made));
  made.names.add("mean");
  made.names.add("scale");
  CHECK(!unfit_results(made));
  made.names.add("mean");
  CHECK(unfit_results(made).rule == sentence("two results of the equation are named 'mean'"));
}
