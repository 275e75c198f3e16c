// part: what runs one shard of a batch.
#pragma once

#include "tenon/backend/operand.hpp"
#include "tenon/engine/inputs/input_buffers.hpp"
#include "tenon/engine/session/session.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace tenon::inline v0_1::engine {

// One part: a session of its rows only, with its own memory. It reads the packed weights of the first part.
template <class Session>
class part_of_batch : public Session {
 public:
  using T = typename Session::T;
  using Session::is_needed, Session::share_weights;

 protected:
  // Takes the rows from `first` on.
  template <class Whole>
  void take_rows(const input_buffers<Whole>& whole, const T* const* numbers, int first) {
    constexpr int inputs = Session::net.inputs.size;
    [&]<int... I>(std::integer_sequence<int, I...>) {
      (this->inputs_.template take<Session::net.inputs[I]>(whole, first, numbers[Session::net.inputs[I]],
                                                           this->numbers_[Session::net.inputs[I]]),
       ...);
    }
    (std::make_integer_sequence<int, inputs>{});
    this->complete_inputs();
  }
};

// In memory that the program sees.
template <class Session>
class alignas(64) part : public part_of_batch<Session> {
 public:
  using T = typename Session::T;
  using Session::find_table_sums, Session::finish_tables, Session::go_back, Session::go_forward,
      Session::multiply_tables, Session::pack;

  // Before a run: sets theta and the rows from `first` on. `valid_targets`: for each operation, what a loss counts in the
  // whole batch. A count that is computed is known only after the forward run: this part's is in loss_of(o).
  template <class Parameters, class Whole>
  void take(const Parameters& theta, const input_buffers<Whole>& whole, const T* const* numbers, int first,
            const double* valid_targets) {
    this->context_.losses.valid_targets = valid_targets;
    this->context_.losses.of_operations = losses_.data();
    this->context_.memory.parameters = theta.data();
    this->take_rows(whole, numbers, first);
  }
  template <class Touched>
  void add_touched(Touched& touched) const {
    touched.add(this->inputs_.tokens(), this->inputs_.lengths().steps(), Session::plan::batch);
  }
  double share_of_loss() const { return this->context_.losses.loss; }
  const backend::positions_sum& loss_of(int o) const { return losses_[static_cast<std::size_t>(o)]; }

 private:
  std::array<backend::positions_sum, Session::net.operations.size + 1> losses_{};
};

}  // namespace tenon::inline v0_1::engine
