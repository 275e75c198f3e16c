// intake: what takes the inputs of a plan by their names. Sessions are one, and so is a batch that is cut.
#pragma once

#include "tenon/engine/session/given.hpp"

namespace tenon::engine {

[[noreturn, gnu::noinline]] inline void fail_backward() {
  throw input_error(
      "backward: expected a forward pass just before it; each backward needs a forward of its own, after the "
      "last input");
}

template <class Plan>
class intake {
 public:
  intake() = default;
  intake(const intake&) = delete;
  intake& operator=(const intake&) = delete;

  // Gives the input of this name: a tensor expression, a range of token sequences or a flat range; a sequence
  // may be followed by its lengths, and by layout::time_first. Throws input_error and changes nothing if
  // something is wrong.
  template <text Name, class... Given>
  void input(const Given&... given) {
    constexpr int e = input_edge(Name);
    if constexpr (e < 0) {
      if constexpr (is_laid_out) tenon::detail::say<tenon::detail::error_in<unknown_input<Plan, Name>>>();
    } else {
      using unfit = unfit_input<Plan, e, Given...>;
      if constexpr (unfit::wrong) tenon::detail::say<tenon::detail::error_in<unfit>>();
      else give<e>(given...);
    }
  }

  template <class... Given>
  void input(const Given&...) {
    tenon::detail::say<tenon::detail::error_in<name_as_argument<Plan, "input<\"name\">(value)">>>();
  }

 protected:
  using T = typename Plan::scalar;

  static constexpr bool is_laid_out = Plan::net.edges.size > 0;  // else an error stands already: say no other
  static constexpr int input_edge(const name& path) {
    for (int i : Plan::net.inputs)
      if (Plan::net.edges[i].path == path) return i;
    return -1;
  }
  template <int E, class... Given>
  void give(const Given&... given) {
    if constexpr (sizeof...(Given) == 3) give_with_order<E>(given...);
    else feed_.template set<E>(given..., numbers_[E]);
    may_go_back_ = false;
  }
  // What forward saves is overwritten by backward; inputs may be stored where backward reads them.
  void check_backward() const {
    if (!may_go_back_) fail_backward();
  }
  void begin_backward() {
    check_backward();
    may_go_back_ = false;
  }

  bool may_go_back_ = false;
  feed<Plan> feed_;
  T* numbers_[Plan::net.edges.size + 1]{};  // by input: where its numbers go; set by who owns the memory

 private:
  template <int E, class X, class Lengths>
  void give_with_order(const X& x, const Lengths& lengths, layout order) {
    feed_.template set<E>(x, lengths, numbers_[E], order);
  }
};

}  // namespace tenon::engine
