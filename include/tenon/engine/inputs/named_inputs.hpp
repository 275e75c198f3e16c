// named_inputs: the base of types that take the inputs of a plan by name: sessions, and a batch cut into shards.
#pragma once

#include "tenon/engine/inputs/given_values.hpp"
#include "tenon/engine/inputs/plan_names.hpp"

namespace tenon::inline v0_1::engine {

struct access;  // access.hpp

[[noreturn, gnu::noinline]] inline void refuse_backward() {
  throw input_error(
      "backward: expected a forward pass just before it; each backward needs a forward of its own, after the "
      "last input");
}

template <class Plan>
class named_inputs {
 public:
  named_inputs() = default;
  named_inputs(const named_inputs&) = delete;
  named_inputs& operator=(const named_inputs&) = delete;

 protected:
  friend access;
  using T = typename Plan::scalar;

  template <int E, class... Given>
  void give(const Given&... values) {
    if constexpr ((OnDevice<Given> || ...)) return give<E>(as_given<Plan, E>(values, inputs_.on_device)...);
    else if constexpr (sizeof...(Given) == 3) give_with_order<E>(values...);
    else given_values<Plan>{inputs_}.template set<E>(values..., numbers_[E]);
    ran_on_these_ = false;
  }
  // backward overwrites what forward saved, and a new input may overwrite what backward reads.
  void check_backward() const {
    if (!ran_on_these_) refuse_backward();
  }
  void begin_backward() {
    check_backward();
    ran_on_these_ = false;
  }

  bool ran_on_these_ = false;  // forward ran on these inputs, and what it saved still exists
  input_buffers<Plan> inputs_;
  T* numbers_[Plan::net.edges.size + 1]{};  // by input: where its numbers go; set by the owner of the memory

 private:
  template <int E, class X, class Lengths>
  void give_with_order(const X& x, const Lengths& lengths, layout order) {
    given_values<Plan>{inputs_}.template set<E>(x, lengths, numbers_[E], order);
  }
};

}  // namespace tenon::inline v0_1::engine
