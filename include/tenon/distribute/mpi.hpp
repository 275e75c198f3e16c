// mpi: the processes of an MPI program as the ranks of a communicator: one program, started by `mpirun -n 4`, trains on all of them.
//   int main(int count, char** arguments) {
//     distribute::mpi world(count, arguments);
//     .. trainer(theta, threads{2}, world) ..
// Needs MPI 3.1 (Open MPI, MPICH and their kin) and no collective calls of it: each rank sends to each other one what that one needs, so a rank
// that waits knows for whom. A rank that is left by an exception, or waits longer than its patience, ends all ranks with a sentence.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/distribute/communicator.hpp"

// The C++ bindings that MPI 3 dropped are twenty times as long as the rest.
#ifndef OMPI_SKIP_MPICXX
#  define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#  define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

namespace tenon::inline v0_1::distribute {

struct mpi_options {
  double patience = 60;  // seconds that a rank waits for another one, before it ends all
};

class mpi {
 public:
  // All processes that were started together. Initialises MPI, and finalises it at the end, unless the program has initialised it before.
  // Throws input_error if MPI gives no threads, which a trainer may have: MPI_THREAD_FUNNELED.
  mpi(int& count, char**& arguments, mpi_options options = {}) : mpi(options) {
    begin(count, arguments);
    take(MPI_COMM_WORLD);
  }
  // The ranks of a communicator of the program's own, which has initialised MPI, and stays its owner. All of them make an mpi of it.
  explicit mpi(MPI_Comm ranks, mpi_options options = {}) : mpi(options) {
    int is_ready = 0;
    MPI_Initialized(&is_ready);
    if (is_ready == 0)
      throw input_error("mpi: a communicator is passed before MPI_Init_thread; initialise MPI first");
    check_threads();
    if (ranks == MPI_COMM_NULL) throw input_error("mpi: this process is in no rank of the communicator");
    take(ranks);
  }
  // The last to leave is waited for. A rank that an exception leaves ends all others when its program ends, which may say why before.
  ~mpi() {
    if (ranks_ == MPI_COMM_NULL) return;  // it has not begun
    if (std::uncaught_exceptions() > exceptions_) {
      std::fprintf(stderr, "%s: an exception ends it, and so all ranks\n", who().c_str());
      std::atexit([] {
        int is_over = 0;
        MPI_Finalized(&is_over);
        if (is_over == 0) end_all();
      });
      return;
    }
    leave();
    MPI_Comm_free(&ranks_);
    if (is_owner_) MPI_Finalize();
  }
  mpi(const mpi&) = delete;
  mpi& operator=(const mpi&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  void gather(pieces all) {
    call& now = begin_call();
    for (int r = 0; r < size_; ++r)
      if (r != rank_) receive(now, r, all.of(r), all.bytes(r));
    for (int r = 0; r < size_; ++r)
      if (r != rank_) send(now, r, all.of(rank_), all.bytes(rank_));
    complete(now, "gather");
  }
  void exchange(pieces sent, pieces received) { finish(start(sent, received)); }
  // An exchange that goes on while the rank computes: progress() lets the library work, finish() waits for it.
  int start(pieces sent, pieces received) {
    if (sent.bytes(rank_) != received.bytes(rank_)) throw_unfit("exchange", rank_);
    call& now = begin_call();
    for (int r = 0; r < size_; ++r)
      if (r != rank_) receive(now, r, received.of(r), received.bytes(r));
    for (int r = 0; r < size_; ++r)
      if (r != rank_) send(now, r, sent.of(r), sent.bytes(r));
    if (sent.bytes(rank_) > 0) std::memcpy(received.of(rank_), sent.of(rank_), sent.bytes(rank_));
    return static_cast<int>(&now - open_.data());
  }
  void progress() {
    for (call& each : open_)
      if (each.is_open && test(each)) return;  // one is enough for the library to look after all
  }
  void finish(int started) { complete(open_[static_cast<std::size_t>(started)], "exchange"); }

  void begins_step(long step) { step_ = step; }

  // Since the start: bytes that this rank has sent to others, calls that did, and seconds in which it waited for them.
  std::uint64_t bytes_sent() const { return sent_; }
  std::uint64_t calls() const { return calls_; }
  double seconds_waited() const { return waited_; }

 private:
  enum tag { numbers = 1, leaving = 2 };

  explicit mpi(mpi_options options) : patience_(options.patience), exceptions_(std::uncaught_exceptions()) {
    if (!(options.patience > 0))
      throw input_error("mpi: expected a patience above 0 seconds, got " + std::to_string(options.patience));
  }
  void begin(int& count, char**& arguments) {
    int is_ready = 0, is_over = 0;
    MPI_Finalized(&is_over);
    if (is_over != 0) throw input_error("mpi: MPI is finalised, and begins only once in a program");
    MPI_Initialized(&is_ready);
    if (is_ready == 0) {
      int level = MPI_THREAD_SINGLE;
      MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &level);
      is_owner_ = true;
    }
    check_threads();
    if (!is_owner_) return;
    // Who reports an error differs between libraries.
    for (const MPI_Comm of : {MPI_COMM_WORLD, MPI_COMM_SELF}) MPI_Comm_set_errhandler(of, MPI_ERRORS_RETURN);
  }
  void check_threads() const {
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    if (level >= MPI_THREAD_FUNNELED) return;
    if (is_owner_) {
      MPI_Finalize();
      throw input_error(
          "mpi: this MPI library gives MPI_THREAD_SINGLE, and a trainer may have threads; use one that gives "
          "MPI_THREAD_FUNNELED");
    }
    throw input_error(
        "mpi: MPI was initialised without threads; call MPI_Init_thread(.., MPI_THREAD_FUNNELED, ..) in "
        "place of MPI_Init");
  }
  void take(MPI_Comm ranks) {
    MPI_Comm_dup(ranks, &ranks_);  // so that no message of the program is taken for one of these
    MPI_Comm_set_errhandler(ranks_, MPI_ERRORS_RETURN);
    MPI_Comm_rank(ranks_, &rank_);
    MPI_Comm_size(ranks_, &size_);
  }

  // --- messages ---------------------------------------------------------------------------------------------------

  static constexpr std::size_t most = std::size_t(1) << 30;  // bytes of one message: MPI counts them by int

  struct message {
    int rank;
    std::size_t bytes;
    bool is_unfit = false;
  };
  // The messages of a call that is not complete. The first requests are those that receive.
  struct call {
    std::vector<MPI_Request> requests{};
    std::vector<message> expected{};
    std::size_t next = 0;  // the first request that is open
    bool is_open = false;
  };
  call& begin_call() {
    auto free = std::find_if(open_.begin(), open_.end(), [](const call& c) { return !c.is_open; });
    if (free == open_.end()) free = open_.emplace(open_.end());
    free->requests.clear();
    free->expected.clear();
    free->next = 0;
    free->is_open = true;
    ++calls_;
    return *free;
  }
  // An empty piece is not sent. Longer ones are cut, and arrive in order.
  void receive(call& of, int rank, std::byte* to, std::size_t bytes, tag as = numbers) {
    for (std::size_t done = 0; done < bytes; done += most) {
      const std::size_t some = std::min(most, bytes - done);
      MPI_Irecv(to + done, static_cast<int>(some), MPI_BYTE, rank, as, ranks_, &of.requests.emplace_back());
      of.expected.push_back({rank, some});
    }
  }
  void send(call& of, int rank, const std::byte* from, std::size_t bytes, tag as = numbers) {
    sent_ += bytes;
    for (std::size_t done = 0; done < bytes; done += most)
      MPI_Isend(from + done, static_cast<int>(std::min(most, bytes - done)), MPI_BYTE, rank, as, ranks_,
                &of.requests.emplace_back());
  }
  [[noreturn]] void throw_unfit(const char* name, int rank) const {
    throw input_error(std::string(name) + ": rank " + std::to_string(rank) +
                      " sends another number of bytes than rank " + std::to_string(rank_) + " expects");
  }
  // Looks at the first open request; true if it is complete.
  bool test(call& of) {
    if (of.next == of.requests.size()) return false;
    int has_come = 0;
    MPI_Status status;
    const int error = MPI_Test(&of.requests[of.next], &has_come, &status);
    if (error == MPI_SUCCESS && has_come == 0) return false;
    if (of.next < of.expected.size())
      of.expected[of.next].is_unfit = is_unfit(of.expected[of.next], error, status);
    else check(error);
    ++of.next;
    return true;
  }
  void complete(call& of, const char* name) {
    const double begun = MPI_Wtime();
    for (std::size_t tries = 1; of.next < of.requests.size(); ++tries)
      if (!test(of) && tries % 1024 == 0) look_for_lost(of, MPI_Wtime() - begun);
    waited_ += MPI_Wtime() - begun;
    of.is_open = false;
    for (const message& m : of.expected)
      if (m.is_unfit) throw_unfit(name, m.rank);
  }
  // A message that is too long is an error of MPI.
  bool is_unfit(const message& m, int error, const MPI_Status& status) const {
    int kind = MPI_SUCCESS, bytes = 0;
    MPI_Error_class(error, &kind);
    if (kind == MPI_ERR_TRUNCATE) return true;
    check(error);
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    return static_cast<std::size_t>(bytes) != m.bytes;
  }
  void check(int error) const {
    if (error == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Error_string(error, text, &length);
    fail("MPI: " + std::string(text, static_cast<std::size_t>(length)));
  }
  // Has a rank ended that this one waits for, or has it waited too long?
  void look_for_lost(const call& of, double seconds) const {
    constexpr double soon = 0.1;  // a rank that computes is not looked for
    if (seconds < soon) return;
    for (std::size_t k = of.next; k < of.expected.size(); ++k) {
      int has_come = 0, has_left = 0;
      MPI_Request_get_status(of.requests[k], &has_come, MPI_STATUS_IGNORE);
      if (has_come != 0) continue;
      const std::string other = "rank " + std::to_string(of.expected[k].rank);
      MPI_Iprobe(of.expected[k].rank, leaving, ranks_, &has_left, MPI_STATUS_IGNORE);
      if (has_left != 0 && !is_leaving_) fail(other + " has ended, and this one waits for it");
      if (seconds > patience_)
        fail("waited " + std::to_string(static_cast<long>(seconds)) + " s for " + other +
             ", which is stopped, lost, or needs longer than the patience of mpi_options");
    }
    if (seconds > 2 * patience_) fail("waited for a rank that takes no message");
  }
  // Waits until all ranks are at the end of the program.
  void leave() {
    is_leaving_ = true;
    call& now = begin_call();
    bye_.resize(static_cast<std::size_t>(size_) + 1);
    for (int r = 0; r < size_; ++r)
      if (r != rank_) receive(now, r, &bye_[static_cast<std::size_t>(r)], 1, leaving);
    for (int r = 0; r < size_; ++r)
      if (r != rank_) send(now, r, &bye_.back(), 1, leaving);
    complete(now, "leave");
  }
  std::string who() const {
    return "rank " + std::to_string(rank_) + " of " + std::to_string(size_) +
           (step_ > 0 ? ", step " + std::to_string(step_) : "");
  }
  [[noreturn]] void fail(const std::string& reason) const {
    std::fprintf(stderr, "%s: %s\n", who().c_str(), reason.c_str());
    end_all();
  }
  // A launcher may drop what it has not passed on when it hears of this.
  [[noreturn]] static void end_all() {
    std::fflush(stderr);
    for (const double begun = MPI_Wtime(); MPI_Wtime() - begun < 0.1;) continue;
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    std::abort();
  }

  double patience_;
  int exceptions_;  // under way when this began
  MPI_Comm ranks_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
  bool is_owner_ = false, is_leaving_ = false;
  std::vector<call> open_{};
  std::vector<std::byte> bye_{};
  std::uint64_t sent_ = 0, calls_ = 0;
  double waited_ = 0;
  long step_ = 0;
};

}  // namespace tenon::inline v0_1::distribute
