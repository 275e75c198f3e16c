// step_queue: the parts of a trainer's step on a device. Each part is queued without waiting for its results, or was
// captured and is queued as a whole; the program waits where it needs a number.
#pragma once

#include "tenon/backend/memory.hpp"
#include "tenon/backend/operand.hpp"
#include "tenon/engine/session/access.hpp"
#include "tenon/engine/session/captured_runs.hpp"
#include "tenon/train/optimizers/update_numbers.hpp"

#include <concepts>

namespace tenon::inline v0_1::engine {

// The parts that are queued as a whole. If each batch makes an update: first, last. If several batches do: first for
// the first batch and forward for each later one, each followed by backward; then update.
struct part_of_step {
  static constexpr int first = 0, last = 1, forward = 2, backward = 3, update = 4;
};

// What a step works with. The limits are those of the gradients; 0: no limit.
template <class Session, class Optimizer, class Gradients, class Parameters>
struct step_parts {
  Session& session;
  Optimizer& optimizer;
  Gradients& gradients;
  Parameters& theta;
  double max_norm, max_value;
};

// Captured: captured_runs, or nothing_captured.
template <class Device, class Captured>
class step_queue {
 public:
  // A batch that makes an update. The device checks whether the loss and the norm of the gradients are finite. The
  // program waits once: for the norm if there is one, else for the loss. Returns both.
  template <class Parts>
  backend::run_numbers step(const Parts& of) {
    access::begin_step(of.session);
    of.optimizer.send_numbers();
    queue(of, part_of_step::first, [&of] { go_forward(of, true); });
    access::ran_forward(of.session, !of.optimizer.may_clip(of.max_norm));
    queue(of, part_of_step::last, [&of] {
      of.session.backward(of.theta, of.gradients.block);
      change(of, access::numbers(of.session));
    });
    access::ran_backward(of.session);
    return access::fetch_numbers(of.session);
  }

  // One of several batches of an update, the first or a later one. The program waits for its loss before its backward
  // pass, because the number of its positions sets the scale of the gradients before it.
  template <class Parts>
  double forward(const Parts& of, bool is_first) {
    access::begin_step(of.session);
    queue(of, is_first ? part_of_step::first : part_of_step::forward,
          [&of, is_first] { go_forward(of, is_first); });
    access::ran_forward(of.session, false);
    return access::fetch_numbers(of.session).loss;
  }
  template <class Parts>
  void backward(const Parts& of) {
    queue(of, part_of_step::backward, [&of] { of.session.backward(of.theta, of.gradients.block); });
    access::ran_backward(of.session);
  }
  // The update with the accumulated gradients. Returns the sum of their squares, which is kept apart from the numbers
  // of the last batch; 0 if no norm is limited.
  template <class Parts>
  double update(const Parts& of) {
    const bool may_clip = of.optimizer.may_clip(of.max_norm);
    of.optimizer.send_numbers();
    backend::run_numbers* const numbers = update_numbers_.begin();
    queue(of, part_of_step::update, [&of, numbers] { change(of, numbers); });
    return may_clip ? update_numbers_.squares() : 0;
  }

  const Captured& captured() const { return captured_; }

 private:
  template <class Parts, class Run>
  void queue(const Parts& of, int part, Run run) {
    if constexpr (std::same_as<Captured, nothing_captured>) {
      run();
    } else {
      const bool changes = part == part_of_step::last || part == part_of_step::update;
      captured_(of.session,
                {.parameters = data_on<Device>(of.theta),
                 .gradients = of.gradients.data(),
                 .max_norm = changes ? of.max_norm : 0,
                 .max_value = changes ? of.max_value : 0,
                 .groups = changes ? of.optimizer.group_changes() : 0,
                 .part = part},
                run);
    }
  }
  template <class Parts>
  static void go_forward(const Parts& of, bool is_first) {
    if (is_first) of.gradients.clear();
    access::go_forward(of.session, of.theta);
  }
  template <class Parts>
  static void change(const Parts& of, backend::run_numbers* numbers) {
    if (of.max_value > 0) of.gradients.limit(of.max_value);
    of.optimizer.clip_there(of.gradients.data(), of.max_norm, of.gradients.touched, numbers);
    of.optimizer.apply(of.theta, of.gradients.block, of.gradients.touched, numbers);
  }

  [[no_unique_address]] Captured captured_;
  [[no_unique_address]] update_numbers<Device> update_numbers_;
};

}  // namespace tenon::inline v0_1::engine
