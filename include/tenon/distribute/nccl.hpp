// nccl: ranks that each have one NVIDIA GPU, whose memories exchange numbers by NCCL. What is said on the host goes through the same ranks there.
//   distribute::mpi ranks(count, arguments);          // or in_process: threads, each with a GPU
//   cudaSetDevice(ranks.rank() % devices);
//   distribute::nccl world(ranks);
//   .. trainer<.., shards<4>, on<backend::cuda>, captured> train(theta, world) ..
// Needs NCCL 2.14 or later (2.7 has send and receive, 2.9 lets calls be captured, 2.14 says what goes on) and CUDA 11.3. A rank that has lost another on
// the host, hears of an error of NCCL, or whose device waits longer than its patience, ends what NCCL does on its device; others then end by an error
// or their own patience. One that another exception leaves ends it here, behind its trainer, which waits for the device: ranks that are processes of
// MPI are ended as a whole.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/distribute/communicator.hpp"
#include "tenon/distribute/gather_all.hpp"

#include <nccl.h>

#include <chrono>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace tenon::inline v0_1::distribute {

struct nccl_options {
  double patience = 60;  // seconds that a rank waits for its device, which may wait for that of another rank
};

// NCCL has failed, another rank is lost, or the patience is over; the message names the rank, the step and what was done. What was queued behind an
// exchange that has ended so has run with whatever was there: parameters are of no use then, and a training goes on from a checkpoint.
struct nccl_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class nccl {
  static_assert(NCCL_VERSION_CODE >= 21400, "nccl: this is an older NCCL; expected 2.14 or later");

 public:
  // `ranks` are the same ranks on the host, and outlive this; each has selected its device before. All of them make an nccl of it. Throws input_error
  // for a patience that is not above 0, nccl_error if NCCL does not start; the latter is what all functions below throw.
  template <Communicator Ranks>
  explicit nccl(Ranks& ranks, nccl_options options = {})
      : ranks_(ranks), patience_(options.patience), exceptions_(std::uncaught_exceptions()) {
    if (!(options.patience > 0))
      throw input_error("nccl: expected a patience above 0 seconds, got " + std::to_string(options.patience));
    begin();
  }
  // NCCL waits until no graph is left that captured calls: what holds one is destroyed before.
  ~nccl() {
    if (aborting_.joinable()) aborting_.join();
    else if (has_failed_ || std::uncaught_exceptions() > exceptions_) ncclCommAbort(there_);
    else ncclCommDestroy(there_);
  }
  nccl(const nccl&) = delete;
  nccl& operator=(const nccl&) = delete;

  int rank() const { return ranks_.rank(); }
  int size() const { return ranks_.size(); }
  void gather(pieces all) {
    on_host([&] { ranks_.gather(all); });
  }
  void exchange(pieces sent, pieces received) {
    on_host([&] { ranks_.exchange(sent, received); });
  }
  void begins_step(long step) {
    step_ = step;
    ranks_.begins_step(step);
  }

  // Blocks in the memory of the device, `stream` a cudaStream_t of it. These calls queue their work there; an empty piece is not sent.
  void exchange_there(pieces sent, pieces received, void* stream) {
    refuse_failed("exchange_there");
    std::uint64_t out = 0, in = 0;
    for (int r = 0; r < size(); ++r)
      if (r != rank()) {
        out += sent.bytes(r);
        in += received.bytes(r);
      }
    if (out == 0 && in == 0) return;
    const auto queue = static_cast<cudaStream_t>(stream);
    group("exchange_there", [&](int r) {
      ncclResult_t result = ncclSuccess;
      if (r == rank()) return result;
      if (sent.bytes(r) > 0) result = ncclSend(sent.of(r), sent.bytes(r), ncclUint8, r, there_, queue);
      if (result == ncclSuccess && received.bytes(r) > 0)
        result = ncclRecv(received.of(r), received.bytes(r), ncclUint8, r, there_, queue);
      return result;
    });
    sent_ += out;
  }
  // A broadcast of each piece, which is NCCL's own form of a gather of pieces of different lengths.
  void gather_there(pieces all, void* stream) {
    refuse_failed("gather_there");
    if (size() == 1 || all.begin[0] == all.begin[size()]) return;
    const auto queue = static_cast<cudaStream_t>(stream);
    group("gather_there", [&](int r) {
      if (all.bytes(r) == 0) return ncclSuccess;
      return ncclBroadcast(all.of(r), all.of(r), all.bytes(r), ncclUint8, r, there_, queue);
    });
    sent_ += all.bytes(rank()) * static_cast<std::uint64_t>(size() - 1);
  }
  // Returns when is_done() does, which asks whether the device has done what was queued.
  template <class IsDone>
  void watch(IsDone is_done) {
    refuse_failed("watch");
    const auto begun = std::chrono::steady_clock::now();
    double seconds = 0;
    const auto look_at_clock = [&] {
      seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    };
    for (long looks = 1; !is_done(); ++looks) {
      std::this_thread::yield();
      if (looks % 64 != 0) continue;
      look_at_clock();
      look_for_error(seconds);
    }
    look_at_clock();
    waited_ += seconds;
  }

  // Bytes that this rank has sent to other devices, in calls so far: work that was captured and is repeated does not count again.
  std::uint64_t bytes_sent_there() const { return sent_; }
  // Seconds since the start in which this rank waited for others, on the host or for its device.
  double seconds_waited() const { return ranks_.seconds_waited() + waited_; }

 private:
  // Rank 0 takes part also if it has no id to give, so that nobody waits for it.
  void begin() {
    struct named {  // as NCCL's type has no name, which ends nvcc 13.0 where a vector destroys it
      ncclUniqueId id;
    };
    std::vector<named> ids;
    ncclResult_t result = ncclSuccess;
    if (rank() == 0) {
      result = ncclGetUniqueId(&ids.emplace_back().id);
      if (result != ncclSuccess) ids.clear();
    }
    ids = gather_all(ranks_, ids);
    if (result != ncclSuccess) throw nccl_error(sentence("ncclGetUniqueId", result));
    if (ids.size() != 1) throw nccl_error(who() + ": ncclGetUniqueId has failed on rank 0");
    result = ncclCommInitRank(&there_, size(), ids[0].id, rank());
    if (result != ncclSuccess) throw nccl_error(sentence("ncclCommInitRank", result));
  }
  // What call(r) does for all ranks, at once. A group is always ended: it would else have what comes later.
  template <class Call>
  void group(const char* what, Call call) {
    ncclResult_t result = ncclGroupStart();
    if (result == ncclSuccess) {
      for (int r = 0; r < size() && result == ncclSuccess; ++r) result = call(r);
      const ncclResult_t at_end = ncclGroupEnd();
      if (result == ncclSuccess) result = at_end;
    }
    if (result != ncclSuccess) fail(sentence(what, result));
  }
  void look_for_error(double seconds) {
    ncclResult_t there = ncclSuccess;
    const ncclResult_t result = ncclCommGetAsyncError(there_, &there);
    if (result != ncclSuccess) fail(sentence("ncclCommGetAsyncError", result));
    if (there != ncclSuccess && there != ncclInProgress) fail(sentence("work on the device", there));
    if (seconds > patience_)
      fail(who() + ": waited " + std::to_string(static_cast<long>(seconds)) +
           " s for the device, which exchanges numbers with other ranks: one of them is stopped or lost, or "
           "needs longer than the patience of nccl_options");
  }
  void refuse_failed(const char* what) const {
    if (has_failed_) throw nccl_error(who() + ": " + what + ": NCCL has failed before");
  }
  // A rank that is lost to the host does not take part on the device either, which may wait for it.
  template <class Call>
  void on_host(Call call) {
    try {
      call();
    } catch (...) {
      end_work();
      throw;
    }
  }
  // Ends NCCL's work on the device. NCCL then waits, as of 2.26, until no graph is left that captured calls. The exception destroys these on its
  // way, so another thread waits.
  void end_work() {
    if (has_failed_) return;
    has_failed_ = true;
    aborting_ = std::thread([there = there_] { ncclCommAbort(there); });
  }
  [[noreturn]] void fail(const std::string& reason) {
    end_work();
    throw nccl_error(reason);
  }
  std::string who() const {
    return "nccl: rank " + std::to_string(rank()) + " of " + std::to_string(size()) +
           (step_ > 0 ? ", step " + std::to_string(step_) : "");
  }
  std::string sentence(const char* what, ncclResult_t result) const {
    const std::string last = ncclGetLastError(there_);
    return who() + ": " + what + ": " + ncclGetErrorString(result) + (last.empty() ? "" : "; " + last);
  }

  any_communicator ranks_;
  double patience_;
  int exceptions_;  // under way when this began
  ncclComm_t there_ = nullptr;
  bool has_failed_ = false;
  std::thread aborting_{};
  std::uint64_t sent_ = 0;
  double waited_ = 0;
  long step_ = 0;
};

}  // namespace tenon::inline v0_1::distribute
