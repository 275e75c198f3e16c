// decoding::next_token: what a program may change before a decoder chooses: the log probabilities of the tokens that may
// come next, such as for a score of its own, or minus infinity for a token that may not follow.
//
//   {.adjust = [](const decoding::next_token& next) { if (next.written.size() < 3) next.log_probability[end] = -INFINITY; }}
#pragma once

#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/meta/erased.hpp"

#include <concepts>
#include <span>
#include <utility>

namespace tenon::inline v0_1 {

namespace decoding {

struct next_token {
  int row;                       // of the outputs that are written, from 0; of a beam search, the sentence
  std::span<const int> written;  // the tokens so far, without start token and prompt
  std::span<double> log_probability;  // of each token; minus infinity: it may not follow
};

}  // namespace decoding

namespace detail {

template <class F>
struct unfit_adjustment {
  static constexpr ir::problem wrong{
      .rule = "the option .adjust is called with a decoding::next_token, and this one does not take it",
      .fix = "write [](const decoding::next_token& next) { next.log_probability[token] += .. }"};
};
class any_adjustment {
 public:
  constexpr any_adjustment() = default;
  template <class F>
  requires(!std::same_as<F, any_adjustment>) any_adjustment(F f) {
    if constexpr (!std::invocable<F&, const decoding::next_token&>) say<error_in<unfit_adjustment<F>>>();
    else if (!engine::is_empty_function(f)) {
      held_ = engine::owned_value(std::move(f));
      call_ = [](const engine::owned_value& held, const decoding::next_token& next) {
        static_cast<void>(held.as<F>()(next));
      };
    }
  }
  explicit operator bool() const { return call_ != nullptr; }
  void operator()(const decoding::next_token& next) const { call_(held_, next); }

 private:
  engine::owned_value held_;
  void (*call_)(const engine::owned_value&, const decoding::next_token&) = nullptr;
};

}  // namespace detail

}  // namespace tenon::inline v0_1
