// row_links: what maps that run one behind the other on the same rows leave for each other, as a template argument of numbers alone.
#pragma once

namespace tenon::ir {

// Of loads: where the numbers come from, if not from a store of a map before.
inline constexpr int from_memory = -1;       // what was there before the maps ran
inline constexpr int from_maps_before = -2;  // memory that a map before has written

template <int... Numbers>
struct numbers_in_order {
  static constexpr int at(int n) {
    const int all[]{Numbers..., 0};
    return all[n];
  }
};
// Loads: of each load of each map the number of the store, counted over all maps, whose value it is, or one of the above. Stores: of each
// store 1 if these loads alone read it, so that it needs no memory; else 0.
template <class Loads, class Stores>
struct row_links {
  using loads = Loads;
  using stores = Stores;
};

}  // namespace tenon::ir
