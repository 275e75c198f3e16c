// any_communicator: a reference to a communicator of any type, or none, which is one worker alone. The type of what holds one does not depend on
// who else trains.
#pragma once

#include "tenon/distribute/alone.hpp"

#include <cstddef>

namespace tenon::distribute {

class any_communicator {
 public:
  any_communicator() = default;
  template <Communicator W>
  explicit any_communicator(W& world) : world_(&world), calls_(&calls_of<W>) {}

  int rank() const { return calls_->rank(world_); }
  int size() const { return calls_->size(world_); }
  void gather(pieces all) const { calls_->gather(world_, all); }
  void exchange(pieces sent, pieces received) const { calls_->exchange(world_, sent, received); }

 private:
  struct calls {
    int (*rank)(const void*);
    int (*size)(const void*);
    void (*gather)(void*, pieces);
    void (*exchange)(void*, pieces, pieces);
  };
  template <class W>
  static constexpr calls calls_of{
      [](const void* world) { return static_cast<const W*>(world)->rank(); },
      [](const void* world) { return static_cast<const W*>(world)->size(); },
      [](void* world, pieces all) { static_cast<W*>(world)->gather(all); },
      [](void* world, pieces sent, pieces received) { static_cast<W*>(world)->exchange(sent, received); }};
  static inline alone nobody_else_{};

  void* world_ = &nobody_else_;
  const calls* calls_ = &calls_of<alone>;
};

}  // namespace tenon::distribute
