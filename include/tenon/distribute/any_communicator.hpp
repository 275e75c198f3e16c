// any_communicator: a reference to a communicator of any type, or none, which is one worker alone. The type of what holds one does not depend on
// who else trains.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/distribute/alone.hpp"

#include <cstddef>

namespace tenon::inline v0_1::distribute {

class any_communicator {
 public:
  any_communicator() = default;
  template <Communicator W>
  explicit any_communicator(W& world) : world_(&world), calls_(&calls_of<W>) {}

  int rank() const { return calls_->rank(world_); }
  int size() const { return calls_->size(world_); }
  void gather(pieces all) const { calls_->gather(world_, all); }
  void exchange(pieces sent, pieces received) const { calls_->exchange(world_, sent, received); }
  // An exchange that may go on while the rank computes. Blocks stay as they are until it is finished; starts and finishes are in one order.
  int start(pieces sent, pieces received) const { return calls_->start(world_, sent, received); }
  void progress() const { calls_->progress(world_); }
  void finish(int started) const { calls_->finish(world_, started); }
  // Of blocks in the memory of devices; see DeviceCommunicator. Throws input_error for one that does not do that.
  void exchange_there(pieces sent, pieces received, void* stream) const {
    calls_->exchange_there(world_, sent, received, stream);
  }
  void gather_there(pieces all, void* stream) const { calls_->gather_there(world_, all, stream); }
  template <class IsDone>
  void watch(IsDone is_done) const {
    calls_->watch(
        world_, [](void* f) -> bool { return (*static_cast<IsDone*>(f))(); }, &is_done);
  }
  // The step of a training that begins, for what is said of a rank that is lost.
  void begins_step(long step) const { calls_->begins_step(world_, step); }
  // Seconds since the start in which this rank waited for others; 0 of one that does not count them.
  double seconds_waited() const { return calls_->seconds_waited(world_); }

 private:
  struct calls {
    int (*rank)(const void*);
    int (*size)(const void*);
    void (*gather)(void*, pieces);
    void (*exchange)(void*, pieces, pieces);
    int (*start)(void*, pieces, pieces);
    void (*progress)(void*);
    void (*finish)(void*, int);
    void (*exchange_there)(void*, pieces, pieces, void*);
    void (*gather_there)(void*, pieces, void*);
    void (*watch)(void*, bool (*)(void*), void*);
    void (*begins_step)(void*, long);
    double (*seconds_waited)(const void*);
  };
  // One that cannot start an exchange does all of it.
  template <class W>
  static int start_of(void* world, pieces sent, pieces received) {
    if constexpr (StartsExchanges<W>) return static_cast<W*>(world)->start(sent, received);
    else static_cast<W*>(world)->exchange(sent, received);
    return 0;
  }
  template <class W>
  static void progress_of([[maybe_unused]] void* world) {
    if constexpr (StartsExchanges<W>) static_cast<W*>(world)->progress();
  }
  template <class W>
  static void finish_of([[maybe_unused]] void* world, [[maybe_unused]] int started) {
    if constexpr (StartsExchanges<W>) static_cast<W*>(world)->finish(started);
  }
  template <class W>
  static void exchange_there_of(void* world, pieces sent, pieces received, void* stream) {
    if constexpr (DeviceCommunicator<W>) static_cast<W*>(world)->exchange_there(sent, received, stream);
    else refuse_there();
  }
  template <class W>
  static void gather_there_of(void* world, pieces all, void* stream) {
    if constexpr (DeviceCommunicator<W>) static_cast<W*>(world)->gather_there(all, stream);
    else refuse_there();
  }
  template <class W>
  static void watch_of([[maybe_unused]] void* world, bool (*is_done)(void*), void* of) {
    if constexpr (DeviceCommunicator<W>) static_cast<W*>(world)->watch([is_done, of] { return is_done(of); });
    else refuse_there();
  }
  [[noreturn]] static void refuse_there() {
    throw input_error(
        "this communicator exchanges no blocks in the memory of devices; distribute::nccl does");
  }
  template <class W>
  static constexpr calls calls_of{
      [](const void* world) { return static_cast<const W*>(world)->rank(); },
      [](const void* world) { return static_cast<const W*>(world)->size(); },
      [](void* world, pieces all) { static_cast<W*>(world)->gather(all); },
      [](void* world, pieces sent, pieces received) { static_cast<W*>(world)->exchange(sent, received); },
      &start_of<W>,
      &progress_of<W>,
      &finish_of<W>,
      &exchange_there_of<W>,
      &gather_there_of<W>,
      &watch_of<W>,
      [](void* world, long step) {
        if constexpr (requires(W & w) { w.begins_step(step); }) static_cast<W*>(world)->begins_step(step);
      },
      [](const void* world) -> double {
        if constexpr (requires(const W& w) { w.seconds_waited(); })
          return static_cast<const W*>(world)->seconds_waited();
        else return 0;
      }};
  static inline alone nobody_else_{};

  void* world_ = &nobody_else_;
  const calls* calls_ = &calls_of<alone>;
};

}  // namespace tenon::inline v0_1::distribute
