// Tied parameters: which are the same, against classes of names that a plain matcher finds; and what is refused.
#include <tenon/graph/tied.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace tenon;

namespace {

using names = std::vector<std::string>;

const names towers{"left.a.weight",   "left.a.bias",    "left.b.weight", "left.bias",
                   "leftover.weight", "right.a.weight", "right.a.bias",  "right.b.weight",
                   "right.bias",      "third.a.weight", "third.a.bias",  "third.b.weight"};

std::unique_ptr<builder> with_parameters(const names& all) {
  auto b = std::make_unique<builder>();
  for (const std::string& path : all) {
    ir::parameter p{.rows = path.ends_with("bias") ? 3 : 4, .columns = path.ends_with("bias") ? 0 : 5};
    p.path.append(path);
    b->net.parameters.add(p);
  }
  return b;
}

// The classes of parameters that are the same: here, as the builder has recorded them ..
std::set<std::set<std::string>> classes_of(const builder& b) {
  std::set<std::set<std::string>> all;
  for (int owner = 0; owner < b.net.parameters.size; ++owner) {
    std::set<std::string> one;
    for (int p = 0; p < b.net.parameters.size; ++p)
      if (p == owner ? b.net.parameters[p].tied_to < 0 : b.net.parameters[p].tied_to == owner)
        one.insert(std::string(b.net.parameters[p].path.view()));
    if (one.size() > 1) all.insert(one);
  }
  return all;
}

// .. and from the words of the ties: every way to replace the `*` is tried, and classes that share a name become one.
std::set<std::set<std::string>> expected_classes(
    const names& all, const std::vector<std::pair<std::string, std::string>>& ties) {
  std::set<std::string> fillings{""};
  for (const std::string& path : all)
    for (std::size_t from = 0; from < path.size(); ++from)
      for (std::size_t count = 1; from + count <= path.size(); ++count)
        fillings.insert(path.substr(from, count));
  const auto filled = [](std::string pattern, const std::string& filling) {
    if (const auto star = pattern.find('*'); star != std::string::npos) pattern.replace(star, 1, filling);
    return pattern;
  };
  std::vector<std::set<std::string>> classes;
  for (const std::string& path : all) classes.push_back({path});
  for (const auto& [one, another] : ties)
    for (const std::string& filling : fillings) {
      std::set<std::string> joined;
      std::vector<std::set<std::string>> rest;
      const std::string first = filled(one, filling), second = filled(another, filling);
      for (const auto& c : classes)
        if (c.count(first) + c.count(second) > 0) joined.insert(c.begin(), c.end());
        else rest.push_back(c);
      if (!joined.count(first) || !joined.count(second)) continue;  // this replacement gives no name
      rest.push_back(joined);
      classes = rest;
    }
  std::set<std::set<std::string>> result;
  for (const auto& c : classes)
    if (c.size() > 1) result.insert(c);
  return result;
}

template <class... Ties>
void check_ties(const std::vector<std::pair<std::string, std::string>>& words) {
  const auto b = with_parameters(towers);
  (Ties::build(*b, {}), ...);
  INFO(explain(b->wrong).view());
  CHECK(b->ok());
  CHECK(classes_of(*b) == expected_classes(towers, words));
}

template <class Tie>
std::string refusal(const names& all, const ir::name& scope = {}) {
  const auto b = with_parameters(all);
  Tie::build(*b, scope);
  return std::string(explain(b->wrong).view());
}

}  // namespace

TEST_CASE("parameters that are tied have one owner") {
  check_ties<tied<"left.bias", "right.bias">>({{"left.bias", "right.bias"}});
  check_ties<tied<"right.bias", "left.bias">>({{"right.bias", "left.bias"}});
  check_ties<tied<"left.*", "right.*">>({{"left.*", "right.*"}});
  check_ties<tied<"left.*.weight", "third.*.weight">>({{"left.*.weight", "third.*.weight"}});
  check_ties<tied<"left.a.*", "right.a.*">>({{"left.a.*", "right.a.*"}});
}

TEST_CASE("chains of ties, in whatever order they come") {
  check_ties<tied<"left.a.*", "right.a.*">, tied<"right.a.*", "third.a.*">>(
      {{"left.a.*", "right.a.*"}, {"right.a.*", "third.a.*"}});
  check_ties<tied<"third.a.*", "right.a.*">, tied<"right.a.*", "left.a.*">>(
      {{"left.a.*", "right.a.*"}, {"right.a.*", "third.a.*"}});
  // two classes that already have owners are merged, and parameters that are tied already may be tied again
  check_ties<tied<"left.a.weight", "left.b.weight">, tied<"right.a.weight", "right.b.weight">,
             tied<"right.b.weight", "left.b.weight">, tied<"left.a.weight", "right.a.weight">>(
      {{"left.a.weight", "left.b.weight"},
       {"right.a.weight", "right.b.weight"},
       {"right.b.weight", "left.b.weight"}});
}

TEST_CASE("names are those below the scope") {
  const auto b = with_parameters({"one.a.weight", "one.b.weight", "a.weight", "b.weight"});
  tied<"a.weight", "b.weight">::build(*b, "one");
  CHECK(b->ok());
  CHECK(classes_of(*b) == std::set<std::set<std::string>>{{"one.a.weight", "one.b.weight"}});
}

TEST_CASE("what is refused") {
  const auto has = [](const std::string& whole, const char* part) {
    INFO(whole);
    CHECK(whole.find(part) != std::string::npos);
  };
  has(refusal<tied<"left.bias", "right.a.weight">>(towers), "tied parameters differ: 3 rows, got 4 from");
  has(refusal<tied<"left.bias", "right.a.weight">>(towers), "'right.a.weight'");
  has(refusal<tied<"left.bias", "left.bias">>(towers), "tied: 'left.bias' is tied to itself");
  has(refusal<tied<"left.*", "right.bias">>(towers), "tied: of 'left.*' and 'right.bias' one has a '*'");
  has(refusal<tied<"*.a.*", "right.*">>(towers), "tied: '*.a.*' has more than one '*'; write two ties");
  has(refusal<tied<"left.bia", "right.bias">>(towers), "tied: no parameter is named 'left.bia'");
  has(refusal<tied<"left.bia", "right.bias">>(towers), "did you mean 'left.bias'?");
  has(refusal<tied<"middle.*", "right.*">>(towers), "tied: no parameter is named 'middle.*'");
  has(refusal<tied<"right.*", "third.*">>(towers),
      "tied: no parameter is named 'third.bias'");  // no partner for any of them
}
