// attention: the backward program of attention over time, made from that of its score.
#pragma once

#include "tenon/equation/language.hpp"
#include "tenon/equation/rewrite.hpp"

namespace tenon::ir {

// Which adjoints are given and asked for.
struct attention_adjoints {
  bool of_context = false, of_weights = false;  // given
  bool of_query = false, of_states = false;     // asked for
};

// Let e_t be the score of state h_t, alpha = softmax_t(e), and c = sum_t alpha_t h_t the context. With g = dL/dc,
//   dL/de_t = alpha_t g . (h_t - c),   and dL/dh_t has a share alpha_t g beside that of the score.
// An adjoint a of alpha itself adds alpha_t (a_t - sum_s alpha_s a_s) to dL/de_t.
// Inputs: those of the score's backward program, where alpha stands in the place of dL/de; then g and c, if g is
// given; then a, if that is given.
constexpr program attention_backward(const program& score, const attention_adjoints& adjoints) {
  constexpr int states = 1, weights = 2;
  tape t;
  transcript copy(score, t);
  const auto input = [&](int index, int size) { return value{&t, t.input(index, size)}; };
  const auto another_input = [&](int size, bool timeless) {
    t.written.timeless.add(timeless);
    return input(t.written.inputs.size, size);
  };
  const int features = score.inputs[states];
  const value h = input(states, features), alpha = input(weights, 1);
  value share{}, score_adjoint{};
  if (adjoints.of_context) {
    const value g = another_input(features, true), c = another_input(features, true);
    share = alpha * g, score_adjoint = alpha * dot(g, h - c);
  }
  if (adjoints.of_weights) {
    const value a = another_input(1, false), product = alpha * a;
    const value mean{&t, t.emit({.code = op::time_sum, .a = short(product.index), .size = 1})};
    const value centred = alpha * (a - mean);
    score_adjoint = adjoints.of_context ? score_adjoint + centred : centred;
  }
  for (int k = 0; k < score.code.size; ++k) {
    const instruction& i = score.code[k];
    if (i.code == op::input && i.first == weights) copy.place[k] = score_adjoint.index;
    else copy.copy(k);
  }
  program backward = copy.finish();
  if (adjoints.of_states && adjoints.of_context) {
    int& dstates = backward.outputs.last();
    t.written = backward;
    dstates = t.emit(op::add, dstates, share.index);
    backward.code = t.written.code;
  }
  return eliminate_dead_code(backward);
}

}  // namespace tenon::ir
