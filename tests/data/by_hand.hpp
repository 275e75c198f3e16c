// Compares columns with inputs that are set by hand to the same rows: the graph's outputs are the same.
#pragma once

#include "tenon/data/data_set.hpp"
#include "tenon/engine/session/session.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace tenon::test {

using rows = std::vector<int>;
inline const std::vector<rows> batches{{0, 1, 2, 3}, {4}, {3, 1}, {2, 2, 0}, {0, 1, 2, 4}};
inline std::size_t at(int k) { return static_cast<std::size_t>(k); }

// The graph's output: equal numbers for equal inputs.
template <class G, ir::text Output = "y", class Set>
std::vector<float> outcome(Set set) {
  static const parameters<G> theta(seed{3});
  inference<G, batch<4>> session;
  set(session);
  session.run(theta);
  std::vector<float> all;
  for (float v : get<Output>(session)) all.push_back(v);
  return all;
}
// by_hand(session, rows) sets the input without the column, for comparison.
template <class G, class Column, class ByHand>
void check_column(Column column, ByHand by_hand) {
  CHECK(column.size() == 5);
  const data_set data(std::move(column));
  std::vector<std::vector<float>> seen;
  for (const rows& some : batches) {
    seen.push_back(outcome<G>([&](auto& session) { data.set_inputs(session, some); }));
    CHECK(seen.back() == outcome<G>([&](auto& session) { by_hand(session, some); }));
  }
  CHECK(seen[0] != seen[4]);  // different rows give different outputs
}

inline float number(int r, int j) { return std::sin(static_cast<float>(7 * r + j)); }

}  // namespace tenon::test
