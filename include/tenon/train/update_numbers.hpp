// update_numbers<Backend>: the squares that clipping sums up for an update of several batches, in the backend's own memory. Those of
// one batch are numbers of its run.
#pragma once

#include "tenon/backend/memory.hpp"
#include "tenon/backend/operand.hpp"

namespace tenon::engine {

template <class Backend>
class update_numbers {};

template <backend::HasOwnMemory Backend>
class update_numbers<Backend> {
 public:
  // Zeros for the next update, where the kernels find them: at the same address as before.
  backend::run_numbers* begin() {
    if (block_.size() == 0) block_ = backend::own_memory<backend::run_numbers, Backend>(1);
    stream_.join();
    const backend::run_numbers zeros{};
    copy_in(Backend{}, &zeros, block_.data(), sizeof zeros);
    return block_.data();
  }
  // Of all gradients that the update has clipped. Waits for it.
  double squares() const {
    backend::run_numbers made;
    copy_out(Backend{}, block_.data(), &made, sizeof made);
    return made.all_squares;
  }

 private:
  backend::own_memory<backend::run_numbers, Backend> block_;
  backend::last_stream<Backend> stream_;
};

}  // namespace tenon::engine
