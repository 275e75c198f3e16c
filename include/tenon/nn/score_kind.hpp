// What the features of an edge are for a loss: logits, probabilities or log-probabilities, as far as the equation tells that
// computes them. A criterion with a member `expects` refuses all others; what an equation does not tell is accepted.
#pragma once

#include "tenon/graph/builder.hpp"
#include "tenon/graph/kind.hpp"

namespace tenon::detail {

enum class score_kind : unsigned char { unknown, logits, probabilities, log_probabilities };

constexpr const char* spelling(score_kind k) {
  constexpr const char* all[]{"numbers", "logits", "probabilities", "log-probabilities"};
  return all[static_cast<int>(k)];
}

// The features of an edge, and the function that made them such, if there is one.
struct known_scores {
  score_kind kind = score_kind::unknown;
  const char* function = "";
};

// The equation that computes an edge: its program and the number of the result.
struct edge_equation {
  const ir::program* equations = nullptr;
  int result = -1;

  constexpr known_scores scores() const {
    if (result < 0) return {};
    if (is(result, op::sigmoid)) return {score_kind::probabilities, "sigmoid"};
    if (is_softmax(result)) return {score_kind::probabilities, "softmax"};
    if (is_log_softmax(result)) return {score_kind::log_probabilities, "log_softmax"};
    if (is_affine(result)) return {score_kind::logits, ""};
    return {};
  }

 private:
  using op = ir::op;
  constexpr const ir::instruction& operator[](int k) const { return equations->code[k]; }
  constexpr bool is(int k, op code) const { return (*this)[k].code == code; }
  // e / sum(e), e an exp
  constexpr bool is_softmax(int k) const {
    const ir::instruction& i = (*this)[k];
    return is(k, op::divide) && is(i.a, op::exp) && is(i.b, op::row_sum) && (*this)[i.b].a == i.a;
  }
  // x - log(sum(exp(x))), or the log of a softmax
  constexpr bool is_log_softmax(int k) const {
    const ir::instruction& i = (*this)[k];
    if (is(k, op::log)) return is_softmax(i.a);
    if (!is(k, op::subtract) || !is(i.b, op::log)) return false;
    const int sum = (*this)[i.b].a;
    return is(sum, op::row_sum) && is((*this)[sum].a, op::exp) && (*this)[(*this)[sum].a].a == i.a;
  }
  // W x, or W x + b
  constexpr bool is_affine(int k) const {
    const ir::instruction& i = (*this)[k];
    return is(k, op::contract) || (is(k, op::add) && is(i.a, op::contract) && is(i.b, op::vector));
  }
};
// Dropout is skipped: it does not change what an edge holds.
constexpr edge_equation find_equation(const builder& b, int e) {
  for (const ir::operation& o : b.net.operations) {
    if (o.out[0] != e) continue;
    if (kind_of(o.what).passes_on) return find_equation(b, o.in[0]);
    if (kind_of(o.what).is_equation)
      return {&b.net.programs[o.program], b.net.programs[o.program].outputs[0]};
  }
  return {};
}

constexpr ir::sentence remedy_of_scores(const char* loss, score_kind expected, known_scores got) {
  if (expected == score_kind::log_probabilities) {
    if (got.kind == score_kind::logits) return "end the node in log_softmax, or use cross_entropy";
    return got.function == ir::characters("softmax") ? "write log_softmax in its place"
                                                     : "end the node in log_softmax";
  }
  ir::sentence fix = ir::sentence("name what enters the ").append(got.function);
  if (got.kind == score_kind::log_probabilities && loss == ir::characters("cross_entropy"))
    fix.append(": the loss takes it itself");
  return fix;
}
// Fails if the equation of an edge tells that its features are not of the kind that a loss expects.
constexpr bool require_scores(builder& b, int e, const char* loss, score_kind expected) {
  const known_scores got = find_equation(b, e).scores();
  if (got.kind != score_kind::unknown && got.kind != expected)
    b.fail({.rule = ir::sentence(loss)
                        .append(" expects ")
                        .append(spelling(expected))
                        .append(", got ")
                        .append(spelling(got.kind)),
            .source = b[e].path,
            .fix = remedy_of_scores(loss, expected, got)});
  return b.ok();
}

}  // namespace tenon::detail
