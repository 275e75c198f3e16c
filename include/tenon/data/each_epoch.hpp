// each_epoch: training data that a function makes anew for each epoch.
#pragma once

#include <concepts>
#include <utility>

namespace tenon::inline v0_1 {

// fit(trainer, each_epoch([&](int epoch) { return data_set(..); }), ..). The function is called with the number of the epoch, from 1 on. It must
// return the same data whenever it is called with the same number, so that a training that was interrupted continues as if it had not been:
// random numbers come from a stream of their own for each epoch, backend::random_stream random(seed, epoch).
template <class F>
requires std::invocable<const F&, int>
class each_epoch {
 public:
  explicit each_epoch(F draw) : draw_(std::move(draw)) {}
  auto of_epoch(int epoch) const { return draw_(epoch); }

 private:
  F draw_;
};

}  // namespace tenon::inline v0_1
