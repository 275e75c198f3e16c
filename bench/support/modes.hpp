// Two ways to set the processor's modes, flush-to-zero and denormals-are-zero, around a step.
#pragma once

#include "support/contender.hpp"
#include <tenon/backend/cpu/flush.hpp>

namespace bench {

// In a loop that sets the modes once.
template <class Step>
class with_modes_set final : public Step {
 public:
  using Step::Step;
  std::shared_ptr<void> around_all_runs() override {
    return std::make_shared<tenon::backend::flush_to_zero>();
  }
};

// Hand-written code that does what a step of Tenon does: sets the modes, and restores the caller's.
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
