// row_links: which values maps that run one after the other on the same rows pass to each other, as a template argument
// of numbers only.
#pragma once

namespace tenon::inline v0_1::ir {

// Where the numbers of a load come from, if not from a store of an earlier map.
inline constexpr int from_memory = -1;       // memory that these maps have not written
inline constexpr int from_maps_before = -2;  // memory that an earlier map has written

template <int... Numbers>
struct numbers_in_order {
  static constexpr int at(int n) {
    const int all[]{Numbers..., 0};
    return all[n];
  }
};
// Loads: for each load of each map, the number of the store (counted over all maps) whose value it reads, or one of the
// constants above. Stores: for each store, 1 if only these loads read it, so that it needs no memory; else 0.
template <class Loads, class Stores>
struct row_links {
  using loads = Loads;
  using stores = Stores;
};

}  // namespace tenon::inline v0_1::ir
