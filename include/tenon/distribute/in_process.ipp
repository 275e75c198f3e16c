// The bodies of in_process.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <cstring>
#include <utility>

namespace tenon::inline v0_1::distribute {

// No rank leaves between the two meetings, where others read what it offers: what is wrong is thrown behind the second one.
TENON_INLINE void in_process::gather(pieces all) {
  offer_of(rank_) = all;
  all_.meet();
  int wrong = -1;
  for (int rank = 0; rank < size(); ++rank)
    if (rank != rank_ && !copy(offer_of(rank), rank, all, rank)) wrong = rank;
  all_.meet();
  if (wrong >= 0) throw_unfit("gather", wrong);
}
TENON_INLINE void in_process::exchange(pieces sent, pieces received) {
  offer_of(rank_) = sent;
  all_.meet();
  int wrong = -1;
  for (int rank = 0; rank < size(); ++rank)
    if (!copy(offer_of(rank), rank_, received, rank)) wrong = rank;
  all_.meet();
  if (wrong >= 0) throw_unfit("exchange", wrong);
}
TENON_INLINE bool in_process::copy(pieces from, int piece, pieces to, int place) {
  if (from.bytes(piece) != to.bytes(place)) return false;
  if (to.bytes(place) > 0) std::memcpy(to.of(place), from.of(piece), to.bytes(place));
  return true;
}
TENON_INLINE void in_process::throw_unfit(const char* call, int rank) const {
  throw input_error(std::string(call) + ": rank " + std::to_string(rank) +
                    " sends another number of bytes than rank " + std::to_string(rank_) + " expects");
}

TENON_INLINE void in_process::meeting::meet() {
  const std::uint32_t now = round_.load();
  if (now % 2 == 1) throw_lost();
  if (arrived_.fetch_add(1) + 1 == static_cast<int>(offers.size())) {
    arrived_.store(0);
    round_.fetch_add(2);
    round_.notify_all();
    return;
  }
  if (const int rank = left_.load(); rank >= 0) lose(rank, false);
  for (std::uint32_t seen = round_.load(); seen / 2 == now / 2; seen = round_.load()) {
    if (seen % 2 == 1) throw_lost();
    round_.wait(seen);
  }
}

// Either this sees that a rank waits, or the rank that comes to wait sees that this one has left.
TENON_INLINE void in_process::meeting::leave(int rank) {
  left_.store(rank);
  if (arrived_.load() > 0) lose(rank, false);
}
TENON_INLINE void in_process::meeting::fail(int rank, std::exception_ptr exception) {
  if (!has_thrown_.exchange(true)) thrown = std::move(exception);
  lose(rank, true);
}
TENON_INLINE void in_process::meeting::lose(int rank, bool has_failed) {
  int none = -1;
  lost_.compare_exchange_strong(none, 2 * rank + (has_failed ? 1 : 0));
  round_.fetch_or(1);
  round_.notify_all();
}
TENON_INLINE void in_process::meeting::throw_lost() const {
  const int lost = lost_.load();
  throw rank_lost("rank " + std::to_string(lost / 2) +
                  (lost % 2 == 1 ? " has failed" : " has ended, and another one still waits for it"));
}

}  // namespace tenon::inline v0_1::distribute
