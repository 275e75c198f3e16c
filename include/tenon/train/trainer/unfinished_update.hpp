// unfinished_update: what a training loop takes back if it fails between two updates: gradients of batches that have made
// no update yet, the count of those batches, which dropout depends on, and the learning rate that was set for them.
#pragma once

namespace tenon::inline v0_1::engine {

template <class Trainer>
class unfinished_update {
 public:
  static constexpr bool has_rate = requires(Trainer & t) { t.optimizer().learning_rate = 0.1; };
  static double rate_of(const Trainer& t) {
    if constexpr (has_rate) return static_cast<double>(t.optimizer().learning_rate);
    else return 0;
  }

  void begin(const Trainer& t) {
    steps_ = t.steps();
    batches_ = t.batches_;
    rate_ = rate_of(t);
  }
  void take_back(Trainer& t) const {
    if (steps_ != t.steps()) return;  // no update was begun, or it is finished
    t.pending_ = 0;                   // the next batch clears the gradients
    t.batches_ = batches_;
    if constexpr (has_rate) t.optimizer().learning_rate = rate_;
  }

 private:
  long steps_ = -1, batches_ = 0;
  double rate_ = 0;
};

}  // namespace tenon::inline v0_1::engine
