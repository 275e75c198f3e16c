// world_of: the ranks that a trainer is one of; without shards it is alone.
#pragma once

#include "tenon/distribute/any_communicator.hpp"

namespace tenon::inline v0_1::engine {

template <class Trainer>
concept OfRanks = requires(const Trainer& t) {
  t.session().group();
};
// Does each rank keep the states of its slices alone?
template <class Trainer>
concept CutsStates = OfRanks<Trainer> && requires(const Trainer& t) {
  t.session().first_element();
};
template <class Trainer>
distribute::any_communicator world_of(const Trainer& t) {
  if constexpr (OfRanks<Trainer>) return t.session().group().world();
  else return {};
}
// One of all ranks logs and writes files.
template <class Trainer>
bool is_first_rank(const Trainer& t) {
  if constexpr (OfRanks<Trainer>) return t.session().group().world().rank() == 0;
  else return true;
}

}  // namespace tenon::inline v0_1::engine
