// update_numbers<Backend>: the sum of squares that clipping computes for an update of several batches, in the backend's
// own memory. For an update of one batch it is among the numbers of the run.
#pragma once

#include "tenon/backend/memory.hpp"
#include "tenon/backend/operand.hpp"

namespace tenon::inline v0_1::engine {

template <class Backend>
class update_numbers {};

template <backend::HasOwnMemory Backend>
class update_numbers<Backend> {
 public:
  // Sets them to zero for the next update, at the same address, where captured kernels find them.
  backend::run_numbers* begin() {
    if (block_.size() == 0) block_ = backend::own_memory<backend::run_numbers, Backend>(1);
    stream_.join();
    const backend::run_numbers zeros{};
    copy_in(Backend{}, &zeros, block_.data(), sizeof zeros);
    return block_.data();
  }
  // The sum over all gradients that the update has clipped. Waits for it.
  double squares() const {
    backend::run_numbers made;
    copy_out(Backend{}, block_.data(), &made, sizeof made);
    return made.all_squares;
  }

 private:
  backend::own_memory<backend::run_numbers, Backend> block_;
  backend::last_stream<Backend> stream_;
};

}  // namespace tenon::inline v0_1::engine
