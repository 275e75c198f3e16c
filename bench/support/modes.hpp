// Who sets the processor's modes, flush-to-zero and denormals-are-zero, around a step.
#pragma once

#include "support/contender.hpp"
#include <tenon/backend/cpu/flush.hpp>

namespace bench {

// In a loop that sets them once.
template <class Step>
class with_modes_set final : public Step {
 public:
  using Step::Step;
  std::shared_ptr<void> around_all_runs() override {
    return std::make_shared<tenon::backend::flush_to_zero>();
  }
};

// Code by hand that does what a step of Tenon does: sets them, and gives the caller's back.
template <class Step>
class setting_modes final : public Step {
 public:
  using Step::Step;
  void run() override {
    const tenon::backend::flush_to_zero modes;
    Step::run();
  }
};

}  // namespace bench
