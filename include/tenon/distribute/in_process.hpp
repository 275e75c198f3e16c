// in_process: threads of one program as the ranks of a communicator, each with its own trainer, data and random numbers. It is for tests
// and for debugging what is to run on several machines; to train with several threads, a trainer has threads{n}.
//   distribute::in_process::run(4, [&](distribute::in_process& world) { .. });
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/distribute/communicator.hpp"
#include "tenon/system/threads.hpp"

#include <atomic>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace tenon::inline v0_1::distribute {

// Another rank has failed, or has ended while this one still waits for it.
struct rank_lost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class in_process {
 public:
  // Calls f(world) on `ranks` threads at once, rank 0 on this one, and returns when all have returned. If a rank throws, the calls of the
  // others throw rank_lost, and run throws what the first one threw. Throws input_error without ranks; gather and exchange throw it if
  // ranks disagree about the length of a piece.
  template <class F>
  static void run(int ranks, F f) {
    if (ranks < 1) throw input_error("in_process: expected at least 1 rank, got " + std::to_string(ranks));
    meeting all(ranks);
    const auto take_part = [&](int rank) {
      try {
        in_process world(all, rank);
        f(world);
        all.leave(rank);
      } catch (...) { all.fail(rank, std::current_exception()); }
    };
    std::vector<system_calls::thread> threads;
    threads.reserve(static_cast<std::size_t>(ranks));
    for (int rank = 1; rank < ranks; ++rank) try {
        threads.emplace_back([&take_part, rank] { take_part(rank); });
      } catch (...) {  // the system starts no more threads
        all.fail(rank, std::current_exception());
        break;
      }
    take_part(0);
    for (system_calls::thread& thread : threads) thread.join();
    if (all.thrown) std::rethrow_exception(all.thrown);
  }

  int rank() const { return rank_; }
  int size() const { return static_cast<int>(all_.offers.size()); }
  void gather(pieces all);
  void exchange(pieces sent, pieces received);

  in_process(const in_process&) = delete;
  in_process& operator=(const in_process&) = delete;

 private:
  // Where the ranks meet. `round` is twice the number of meetings that are over, and odd from when a rank was lost.
  struct meeting {
    explicit meeting(int ranks) : offers(static_cast<std::size_t>(ranks)) {}
    void meet();
    void leave(int rank);                               // its function has returned
    void fail(int rank, std::exception_ptr exception);  // its function has thrown

    std::vector<pieces> offers;  // what each rank shows the others from one meeting to the next
    std::exception_ptr thrown{};

   private:
    void lose(int rank, bool has_failed);
    [[noreturn]] void throw_lost() const;

    std::atomic<std::uint32_t> round_{0};
    std::atomic<int> arrived_{0}, left_{-1};  // in this meeting; a rank whose function has returned
    std::atomic<int> lost_{-1};               // twice the first rank that was lost, and 1 if it has failed
    std::atomic<bool> has_thrown_{false};
  };
  in_process(meeting& all, int rank) : all_(all), rank_(rank) {}
  pieces& offer_of(int rank) { return all_.offers[static_cast<std::size_t>(rank)]; }
  // False, and nothing is copied, if the pieces differ in length.
  static bool copy(pieces from, int piece, pieces to, int place);
  [[noreturn]] void throw_unfit(const char* call, int rank) const;

  meeting& all_;
  int rank_;
};

}  // namespace tenon::inline v0_1::distribute

#ifndef TENON_COMPILED
#  include "tenon/distribute/in_process.ipp"
#endif
