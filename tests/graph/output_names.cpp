// Names of outputs: found, suggested within a scope, and checked for being read.
#include "tenon/graph/output_names.hpp"

#include <doctest/doctest.h>

namespace tenon::inline v0_1::ir {

namespace {

output_names states_and_query() {
  output_names names;
  names.add("states.h_n", 1);
  names.add("states", 0);
  names.add("query", 2);
  return names;
}

}  // namespace

TEST_CASE("the last of a name counts") {
  output_names names = states_and_query();
  CHECK(names.size() == 3);
  CHECK(names.find("states.h_n") == 1);
  CHECK(names.find("states") == 0);
  CHECK(names.find("state") == -1);
  CHECK(names.has("query"));
  CHECK_FALSE(names.has("h_n"));
  names.add("query", 7);
  CHECK(names.find("query") == 7);
}

TEST_CASE("the nearest name of a scope") {
  output_names names;
  names.add("states.h_n", 1);
  names.add("states", 0);
  CHECK(names.suggest({}, "state", "none") == "did you mean 'states'?");
  CHECK(names.suggest({}, "states.hn", "none") == "did you mean 'states.h_n'?");
  CHECK(names.suggest({}, "query", "none") == "none");
  CHECK(names.suggest("states", "h_m", "none") == "did you mean 'h_n'?");
  CHECK(names.suggest("states", "hn", "none") == "none");      // two letters are near to everything
  CHECK(names.suggest("states", "states", "none") == "none");  // out of reach from inside
}

TEST_CASE("what nothing has read") {
  output_names names = states_and_query();
  CHECK(names.take_first_unread(0, {}) == "states");
  names.find("states.h_n");  // reading a second output uses its node
  CHECK(names.take_first_unread(0, {}) == "query");
  names.find("states");
  names.find("query");
  CHECK(names.take_first_unread(0, {}).empty());
  CHECK(names.take_first_unread(0, {}) == "states");  // uses are forgotten after a check
}

TEST_CASE("unread names are those directly below the scope, since a number of names") {
  output_names names;
  names.add("outside", 0);
  names.add("inner.a.h_n", 1);
  names.add("inner.a", 2);
  names.add("inner.b", 3);
  names.find("inner.a.h_n");
  CHECK(names.take_first_unread(1, "inner") == "inner.b");
  CHECK(names.take_first_unread(3, "inner") == "inner.b");
  CHECK(names.take_first_unread(4, "inner").empty());
}

}  // namespace tenon::inline v0_1::ir
