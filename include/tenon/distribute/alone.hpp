// alone: a communicator of one worker, which gets what it sends.
#pragma once

#include "tenon/distribute/communicator.hpp"

#include <cstring>

namespace tenon::inline v0_1::distribute {

struct alone {
  int rank() const { return 0; }
  int size() const { return 1; }
  void gather(pieces) {}
  void exchange(pieces sent, pieces received) {
    if (sent.bytes(0) > 0) std::memcpy(received.of(0), sent.of(0), sent.bytes(0));
  }
  void exchange_there(pieces, pieces, void*) {}
  void gather_there(pieces, void*) {}
  template <class IsDone>
  void watch(IsDone) {}  // for nobody
};

}  // namespace tenon::inline v0_1::distribute
