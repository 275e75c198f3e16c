// Communicator: the workers that train one network together, as a trainer sees them. Each has a rank, from 0 on; all of them call the same
// functions with sizes that fit each other, in the same order, and each call returns when its own part is done.
//   alone: one worker;  in_process: threads of one program;  mpi: processes;  nccl: GPUs;  any_communicator: one of any type
#pragma once

#include <concepts>
#include <cstddef>

namespace tenon::inline v0_1::distribute {

// A block of bytes in a piece for each rank: that of rank r is from begin[r] to before begin[r + 1].
struct pieces {
  std::byte* block = nullptr;
  const std::size_t* begin = nullptr;  // [ranks + 1]

  std::byte* of(int rank) const { return block + begin[rank]; }
  std::size_t bytes(int rank) const { return begin[rank + 1] - begin[rank]; }
};

// A communicator may also start an exchange and finish it later, while the rank computes:
//   start(sent, received) -> int; progress(), which is called now and then; finish(started)
// gather: each rank gives its own piece of a block, and gets all others; `all.begin` is the same for all ranks.
// exchange: piece r of `sent` becomes piece s of rank r's `received`, where s is the rank that sends it. The blocks do not overlap.
template <class W>
concept Communicator = requires(W& world, const W& asked, pieces all) {
  { asked.rank() } -> std::same_as<int>;
  { asked.size() } -> std::same_as<int>;
  world.gather(all);
  world.exchange(/* sent */ all, /* received */ all);
};

template <class W>
concept StartsExchanges = requires(W& world, pieces all) {
  { world.start(/* sent */ all, /* received */ all) } -> std::same_as<int>;
  world.progress();
  world.finish(0);
};

// A communicator of devices also moves blocks in their memory. These calls queue work in a stream of the device, and return; `begin` and the blocks
// stay where they are until it is done, and later, where the work was captured. A rank's piece for itself stays as it is.
//   watch(is_done): returns when is_done() does, and throws if another rank is lost or is waited for too long
template <class W>
concept DeviceCommunicator = Communicator<W> &&
    requires(W& world, pieces all, void* stream, bool (*is_done)()) {
  world.exchange_there(/* sent */ all, /* received */ all, stream);
  world.gather_there(all, stream);
  world.watch(is_done);
};

}  // namespace tenon::inline v0_1::distribute
