// Where parameters are: for each number of the block, the parameters that contain it. No two share a number unless they are tied, learned
// parameters come first, and a product of several gates has adjacent rows.
#include <tenon/graph/entries.hpp>
#include <tenon/graph/parameter_offsets.hpp>

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace tenon::test {

using ir::parameter;

// Six parameters of different shapes: bit k of `frozen` freezes number k; tied[k] is its partner, or -1.
std::unique_ptr<builder> placed(unsigned frozen, const std::vector<int>& tied) {
  auto b = std::make_unique<builder>();
  const int shapes[6][2]{{3, 5}, {7, 0}, {4, 4}, {3, 5}, {1, 0}, {3, 5}};
  for (int k = 0; k < 6; ++k)
    b->net.parameters.add({.path = ir::name("p").append(k),
                           .rows = shapes[k][0],
                           .columns = shapes[k][1],
                           .tied_to = tied[std::size_t(k)],
                           .frozen = (frozen >> k & 1u) != 0});
  ir::place_parameters(*b);
  return b;
}

TEST_CASE("every number belongs to one parameter, or to those that are tied") {
  for (unsigned frozen = 0; frozen < 64; ++frozen)
    for (const std::vector<int>& tied : {std::vector<int>{-1, -1, -1, -1, -1, -1},
                                         {-1, -1, -1, 0, -1, -1},
                                         {-1, -1, -1, 0, -1, 0},
                                         {5, -1, -1, 5, -1, -1}}) {
      const auto b = placed(frozen, tied);
      INFO(frozen);
      REQUIRE(b->ok());
      const auto owner = [&](int k) { return tied[std::size_t(k)] < 0 ? k : tied[std::size_t(k)]; };
      std::set<int> frozen_owners;  // a frozen parameter freezes all that are tied to it
      for (int k = 0; k < 6; ++k)
        if (frozen >> k & 1u) frozen_owners.insert(owner(k));
      std::map<int, std::set<int>> users;  // of each number of the block
      for (int k = 0; k < 6; ++k) {
        const parameter& p = b->net.parameters[k];
        CHECK(p.frozen == (frozen_owners.count(owner(k)) == 1));
        for (int n = 0; n < p.elements(); ++n) {
          users[p.offset + n].insert(owner(k));
          CHECK((p.offset + n < b->net.learned_elements) == !p.frozen);
        }
      }
      int used[2]{};  // learned, frozen
      for (const auto& [number, owners] : users) {
        CHECK(owners.size() == 1);
        ++used[frozen_owners.count(*owners.begin())];
      }
      // Gaps only at the ends of the two parts, which begin at multiples of 16.
      const int learned = b->net.learned_elements, all = b->net.parameter_elements;
      CHECK(learned % 16 == 0);
      CHECK(all % 16 == 0);
      CHECK((used[0] <= learned && learned < used[0] + 16));
      CHECK((used[1] <= all - learned && all - learned < used[1] + 16));
      CHECK(users.rbegin()->first < all);
      // In each part they are in their order.
      for (int k = 0, last[2]{-1, -1}; k < 6; ++k) {
        if (tied[std::size_t(k)] >= 0) continue;
        const parameter& p = b->net.parameters[k];
        CHECK(p.offset > last[p.frozen]);
        last[p.frozen] = p.offset;
      }
    }
}

// Three gates of one input, whose weights are one product.
struct gates : equations::symbols {
  static constexpr auto at(auto x) { return sigmoid(W<"i", 3>(x)) * tanh(W<"g", 3>(x)) + W<"o", 3>(x); }
};
std::string after(auto change) {
  const auto b = std::make_unique<builder>();
  input<"x", features<4>>::build(*b);
  node<"y", gates, "x">::build(*b, {});
  INFO(explain(b->wrong).view());
  REQUIRE(b->net.parameters.size == 3);
  b->net.parameters.add(
      {.path = "other", .rows = b->net.parameters[0].rows, .columns = b->net.parameters[0].columns});
  change(b->net.parameters);
  ir::place_parameters(*b);
  return std::string(explain(b->wrong).view());
}

TEST_CASE("a product of several gates is not torn apart") {
  CHECK(after([](auto&) {}) == "");
  CHECK(after([](auto& p) { p[0].frozen = p[1].frozen = p[2].frozen = true; }) == "");
  CHECK(after([](auto& p) { p[4].tied_to = 1; }) == "");  // the other parameter moves to the gate's place
  for (int gate = 0; gate < 3; ++gate) {
    CHECK(
        after([&](auto& p) { p[gate].frozen = true; }) ==
        "node 'y': a frozen parameter is part of a product of several gates; freeze all gates of one input: "
        "frozen_parameters<\"W_*\">");
    CHECK(after([&](auto& p) { p[gate].tied_to = 4; }) ==
          "node 'y': a tied parameter is part of a product of several gates; tie all gates of one input, in "
          "their order");
  }
}

}  // namespace tenon::test
