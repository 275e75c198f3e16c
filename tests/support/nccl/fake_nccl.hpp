// fake_nccl: NCCL's functions for ranks that are threads of one program, on the memory of the host. A call returns when its work is done, so there is
// nothing to wait for on a device. What would wait for ever in NCCL is an error here: sizes that differ, and a rank that is gone.
//   fake_nccl::reset(); .. fake_nccl::fail_next("ncclSend", ncclSystemError, "no route"); .. CHECK(fake_nccl::calls().sends == 3);
#pragma once

#include <nccl.h>

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace tenon::test::fake_nccl {

// All calls of all ranks since reset(). A failed call counts; of bytes only those that have come to another rank.
struct counts {
  int creates = 0, destroys = 0, aborts = 0;
  int groups = 0, sends = 0, receives = 0, broadcasts = 0, looks_for_errors = 0;
  std::uint64_t bytes = 0;
};

namespace detail {

enum class kind { send, receive, broadcast };
// A call that waits for those of other ranks. It is its rank's own, and others write to it under the lock.
struct operation {
  kind is;
  const void* from;
  void* to;
  std::size_t bytes;
  int other;  // the peer, or the root
  bool is_done = false;
  ncclResult_t result = ncclSuccess;
};
// Ranks with one id. What waits is in order: sends and receives of each pair of ranks (from, to), broadcasts of each rank.
struct world {
  explicit world(int ranks) : size(ranks), is_there(count()), is_gone(count()), broadcasts(count()) {}
  std::size_t count() const { return static_cast<std::size_t>(size); }

  int size, arrived = 0;
  bool is_lost = false;  // a rank was aborted, or has not come
  std::vector<bool> is_there, is_gone;
  std::map<std::pair<int, int>, std::deque<operation*>> sends{}, receives{};
  std::vector<std::deque<operation*>> broadcasts;
};
struct queued {
  ncclComm_t at;
  operation call;
};

struct shared_state {
  std::mutex lock{};
  std::condition_variable changed{};
  std::map<std::uint64_t, std::shared_ptr<world>> worlds{};
  std::map<int, ncclResult_t> async_errors{};
  std::uint64_t ids = 0;
  int graphs = 0;
  counts all{};
};
inline shared_state state{};
// What a test or NCCL says to one thread.
struct thread_state {
  std::string failing{}, text{}, last_error{};
  ncclResult_t result = ncclSuccess, group_result = ncclSuccess;
  int depth = 0;
  std::vector<queued> calls{};
};
inline thread_local thread_state mine{};

}  // namespace detail

// Forgets what this thread and the ranks before were told, and all counts.
inline void reset() {
  const std::lock_guard held(detail::state.lock);
  detail::state.async_errors.clear();
  detail::state.all = {};
  detail::mine = {};
}
inline counts calls() {
  const std::lock_guard held(detail::state.lock);
  return detail::state.all;
}
// The next call of this thread of the function with that name does nothing and returns `result`; `text` is what ncclGetLastError then says.
inline void fail_next(std::string name, ncclResult_t result, std::string text = "") {
  detail::mine.failing = std::move(name);
  detail::mine.result = result;
  detail::mine.text = std::move(text);
}
// What ncclCommGetAsyncError says to this rank of any world, until reset().
inline void set_async_error(int rank, ncclResult_t error) {
  const std::lock_guard held(detail::state.lock);
  detail::state.async_errors[rank] = error;
}
// Whether this thread has begun a group that it has not ended.
inline bool is_in_group() { return detail::mine.depth > 0; }
// Stands for a graph that has captured calls: while there is one, a communicator that is destroyed or aborted waits, as NCCL's does.
struct graph {
  graph() { add(1); }
  ~graph() { add(-1); }
  graph(const graph&) = delete;
  graph& operator=(const graph&) = delete;

 private:
  static void add(int more) {
    const std::lock_guard held(detail::state.lock);
    detail::state.graphs += more;
    detail::state.changed.notify_all();
  }
};

}  // namespace tenon::test::fake_nccl

struct ncclComm {
  std::shared_ptr<tenon::test::fake_nccl::detail::world> all;
  int rank;
};

namespace tenon::test::fake_nccl::detail {

inline bool fails(const char* name, ncclResult_t& result) {
  if (mine.failing != name) return false;
  mine.failing.clear();
  mine.last_error = mine.text;
  result = mine.result;
  return true;
}
inline void finish(operation& call, ncclResult_t result) {
  call.is_done = true;
  call.result = result;
}

// --- under the lock ---------------------------------------------------------------------------------------------------

inline void meet_pair(world& all, std::pair<int, int> ranks) {
  std::deque<operation*>&sends = all.sends[ranks], &receives = all.receives[ranks];
  while (!sends.empty() && !receives.empty()) {
    operation &out = *sends.front(), &in = *receives.front();
    sends.pop_front();
    receives.pop_front();
    const bool fits = out.bytes == in.bytes;
    if (fits) {
      std::memmove(in.to, out.from, in.bytes);
      if (ranks.first != ranks.second) state.all.bytes += in.bytes;
    }
    for (operation* const each : {&out, &in}) finish(*each, fits ? ncclSuccess : ncclInvalidUsage);
  }
}
inline void meet_broadcast(world& all) {
  while (
      std::none_of(all.broadcasts.begin(), all.broadcasts.end(), [](auto& calls) { return calls.empty(); })) {
    std::vector<operation*> now;
    for (std::deque<operation*>& calls : all.broadcasts) {
      now.push_back(calls.front());
      calls.pop_front();
    }
    const operation& root = *now[static_cast<std::size_t>(now[0]->other)];
    const bool fits = std::all_of(now.begin(), now.end(), [&](const operation* each) {
      return each->other == now[0]->other && each->bytes == root.bytes;
    });
    for (operation* const each : now) {
      if (fits && each->to != root.from) std::memmove(each->to, root.from, root.bytes);
      if (fits && each != &root) state.all.bytes += root.bytes;
      finish(*each, fits ? ncclSuccess : ncclInvalidUsage);
    }
  }
}
inline std::deque<operation*>& place_of(world& all, int rank, const operation& call) {
  if (call.is == kind::send) return all.sends[{rank, call.other}];
  if (call.is == kind::receive) return all.receives[{call.other, rank}];
  return all.broadcasts[static_cast<std::size_t>(rank)];
}
// Whether nobody will meet the call any more.
inline bool is_left_alone(const world& all, const operation& call) {
  if (all.is_lost) return true;
  if (call.is != kind::broadcast) return all.is_gone[static_cast<std::size_t>(call.other)];
  return std::find(all.is_gone.begin(), all.is_gone.end(), true) != all.is_gone.end();
}

// ----------------------------------------------------------------------------------------------------------------------

// Does the calls of a group: all are shown to the others, then all are waited for.
inline ncclResult_t do_all(std::vector<queued> calls) {
  std::unique_lock held(state.lock);
  for (queued& each : calls) place_of(*each.at->all, each.at->rank, each.call).push_back(&each.call);
  for (queued& each : calls) {
    world& all = *each.at->all;
    if (each.call.is == kind::send) meet_pair(all, {each.at->rank, each.call.other});
    else if (each.call.is == kind::receive) meet_pair(all, {each.call.other, each.at->rank});
    else meet_broadcast(all);
  }
  state.changed.notify_all();
  ncclResult_t result = ncclSuccess;
  for (queued& each : calls) {
    state.changed.wait(held, [&] { return each.call.is_done || is_left_alone(*each.at->all, each.call); });
    if (!each.call.is_done) {
      std::deque<operation*>& place = place_of(*each.at->all, each.at->rank, each.call);
      place.erase(std::find(place.begin(), place.end(), &each.call));
      finish(each.call, ncclRemoteError);
    }
    if (result == ncclSuccess) result = each.call.result;
  }
  return result;
}
// At once, or at the end of the group that is open.
inline ncclResult_t do_one(const char* name, int counts::*count, ncclComm_t at, operation call,
                           ncclDataType_t type) {
  {
    const std::lock_guard held(state.lock);
    state.all.*count += 1;
  }
  ncclResult_t result = ncclSuccess;
  const bool is_fit = at != nullptr && (type == ncclInt8 || type == ncclUint8) && call.other >= 0 &&
                      call.other < at->all->size &&
                      (call.bytes == 0 || (call.is == kind::send ? call.from : call.to) != nullptr);
  if (!fails(name, result)) {
    if (!is_fit) result = ncclInvalidArgument;
    else if (mine.depth == 0) return do_all({{at, call}});
    else mine.calls.push_back({at, call});
  }
  if (mine.depth > 0 && mine.group_result == ncclSuccess) mine.group_result = result;
  return result;
}
inline ncclResult_t leave(ncclComm_t at, int counts::*count, bool is_lost) {
  if (at == nullptr) return ncclSuccess;
  {
    std::unique_lock held(state.lock);
    state.all.*count += 1;
    at->all->is_gone[static_cast<std::size_t>(at->rank)] = true;
    at->all->is_lost = at->all->is_lost || is_lost;
    state.changed.notify_all();
    state.changed.wait(held, [] { return state.graphs == 0; });
  }
  delete at;
  return ncclSuccess;
}

}  // namespace tenon::test::fake_nccl::detail

extern "C" {

inline ncclResult_t ncclGetUniqueId(ncclUniqueId* uniqueId) {
  using namespace tenon::test::fake_nccl::detail;
  ncclResult_t result = ncclSuccess;
  if (fails("ncclGetUniqueId", result)) return result;
  const std::lock_guard held(state.lock);
  ++state.ids;
  *uniqueId = {};
  std::memcpy(uniqueId->internal, &state.ids, sizeof state.ids);
  return ncclSuccess;
}
inline ncclResult_t ncclCommInitRank(ncclComm_t* comm, int nranks, ncclUniqueId commId, int rank) {
  using namespace tenon::test::fake_nccl::detail;
  if (comm == nullptr || nranks < 1 || rank < 0 || rank >= nranks) return ncclInvalidArgument;
  std::uint64_t id = 0;
  std::memcpy(&id, commId.internal, sizeof id);
  std::unique_lock held(state.lock);
  const std::shared_ptr<world> all =
      state.worlds.try_emplace(id, std::make_shared<world>(nranks)).first->second;
  ncclResult_t result = ncclSuccess;
  if (all->size != nranks) result = ncclInvalidArgument;
  else if (all->is_there[static_cast<std::size_t>(rank)]) result = ncclInvalidUsage;
  else if (!fails("ncclCommInitRank", result)) {
    all->is_there[static_cast<std::size_t>(rank)] = true;
    ++all->arrived;
  }
  all->is_lost = all->is_lost || result != ncclSuccess;
  state.changed.notify_all();
  state.changed.wait(held, [&] { return all->arrived == all->size || all->is_lost; });
  if (result != ncclSuccess) return result;
  if (all->arrived != all->size) return ncclRemoteError;
  ++state.all.creates;
  *comm = new ncclComm{all, rank};
  return ncclSuccess;
}
inline ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  using namespace tenon::test::fake_nccl;
  return detail::leave(comm, &counts::destroys, false);
}
inline ncclResult_t ncclCommAbort(ncclComm_t comm) {
  using namespace tenon::test::fake_nccl;
  return detail::leave(comm, &counts::aborts, true);
}
inline ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* asyncError) {
  using namespace tenon::test::fake_nccl::detail;
  ncclResult_t result = ncclSuccess;
  if (fails("ncclCommGetAsyncError", result)) return result;
  const std::lock_guard held(state.lock);
  ++state.all.looks_for_errors;
  const auto set = state.async_errors.find(comm->rank);
  *asyncError = set == state.async_errors.end() ? ncclSuccess : set->second;
  return ncclSuccess;
}
inline const char* ncclGetErrorString(ncclResult_t result) {
  constexpr const char* names[]{"success",        "CUDA error", "system error", "internal error",
                                "wrong argument", "wrong use",  "remote error", "in progress"};
  return result >= 0 && result < ncclNumResults ? names[result] : "unknown error";
}
inline const char* ncclGetLastError(ncclComm_t) {
  return tenon::test::fake_nccl::detail::mine.last_error.c_str();
}

inline ncclResult_t ncclGroupStart() {
  using namespace tenon::test::fake_nccl::detail;
  ncclResult_t result = ncclSuccess;
  if (!fails("ncclGroupStart", result)) ++mine.depth;
  return result;
}
// If a call of the group has failed, none of them is done.
inline ncclResult_t ncclGroupEnd() {
  using namespace tenon::test::fake_nccl::detail;
  if (mine.depth == 0) return ncclInvalidUsage;
  if (--mine.depth > 0) return ncclSuccess;
  {
    const std::lock_guard held(state.lock);
    ++state.all.groups;
  }
  ncclResult_t result = std::exchange(mine.group_result, ncclSuccess);
  std::vector<queued> calls = std::exchange(mine.calls, {});
  if (fails("ncclGroupEnd", result) || result != ncclSuccess) return result;
  return do_all(std::move(calls));
}
inline ncclResult_t ncclSend(const void* sendbuff, size_t count, ncclDataType_t datatype, int peer,
                             ncclComm_t comm, cudaStream_t) {
  using namespace tenon::test::fake_nccl;
  return detail::do_one("ncclSend", &counts::sends, comm,
                        {detail::kind::send, sendbuff, nullptr, count, peer}, datatype);
}
inline ncclResult_t ncclRecv(void* recvbuff, size_t count, ncclDataType_t datatype, int peer, ncclComm_t comm,
                             cudaStream_t) {
  using namespace tenon::test::fake_nccl;
  return detail::do_one("ncclRecv", &counts::receives, comm,
                        {detail::kind::receive, nullptr, recvbuff, count, peer}, datatype);
}
inline ncclResult_t ncclBroadcast(const void* sendbuff, void* recvbuff, size_t count, ncclDataType_t datatype,
                                  int root, ncclComm_t comm, cudaStream_t) {
  using namespace tenon::test::fake_nccl;
  return detail::do_one("ncclBroadcast", &counts::broadcasts, comm,
                        {detail::kind::broadcast, sendbuff, recvbuff, count, root}, datatype);
}

}  // extern "C"
