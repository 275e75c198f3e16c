// meaning: what the numbers of an edge certainly are, as far as the equation that computes them tells: logits,
// probabilities or log-probabilities. A loss states which of them it takes, `static constexpr detail::taken takes{..}` in
// its criterion, and an edge that certainly holds another is refused when the graph is laid out.
#pragma once

#include "tenon/graph/builder.hpp"

namespace tenon::inline v0_1::detail {

enum class meaning { unknown, logits, probabilities, log_probabilities };
constexpr const char* name_of(meaning m) {
  constexpr const char* names[]{"numbers", "logits", "probabilities", "log-probabilities"};
  return names[static_cast<int>(m)];
}
// What a loss takes, and the function that it applies to that by itself.
struct taken {
  meaning kind = meaning::unknown;
  ir::characters applies{};
};
inline constexpr taken logits_of_classes{meaning::logits, "log_softmax"};
// What an edge holds, and the function that made it.
struct held {
  meaning kind = meaning::unknown;
  ir::characters by{};
};

// The instructions of an equation, read backwards from a result.
struct read_equation {
  const ir::program& equations;

  constexpr held meaning_of(int k) const {
    const ir::instruction& i = equations.code[k];
    if (is(k, ir::opcode::sigmoid)) return {meaning::probabilities, "sigmoid"};
    if (is(k, ir::opcode::axis_softmax) || is_softmax(k)) return {meaning::probabilities, "softmax"};
    if (is_log_softmax(k) || (is(k, ir::opcode::log) && is_softmax(i.a)))
      return {meaning::log_probabilities, "log_softmax"};
    if (is_affine(k) || is(k, ir::opcode::relu) || is(k, ir::opcode::softplus) || is(k, ir::opcode::tanh))
      return {meaning::logits};
    return {};
  }

 private:
  constexpr bool is(int k, ir::opcode code) const { return equations.code[k].code == code; }
  // e / sum(e), e an exp
  constexpr bool is_softmax(int k) const {
    const ir::instruction& i = equations.code[k];
    return is(k, ir::opcode::divide) && is(i.a, ir::opcode::exp) && is(i.b, ir::opcode::row_sum) &&
           equations.code[i.b].a == i.a;
  }
  // x - log(sum(exp(x)))
  constexpr bool is_log_softmax(int k) const {
    const ir::instruction& i = equations.code[k];
    if (!is(k, ir::opcode::subtract) || !is(i.b, ir::opcode::log)) return false;
    const int sum = equations.code[i.b].a;
    return is(sum, ir::opcode::row_sum) && is(equations.code[sum].a, ir::opcode::exp) &&
           equations.code[equations.code[sum].a].a == i.a;
  }
  // W x, or W x + b
  constexpr bool is_affine(int k) const {
    const ir::instruction& i = equations.code[k];
    return is(k, ir::opcode::matmul) ||
           (is(k, ir::opcode::add) && ((is_affine(i.a) && is(i.b, ir::opcode::vector)) ||
                                       (is(i.a, ir::opcode::vector) && is_affine(i.b))));
  }
};
// Dropout is skipped: it does not change what an edge holds.
constexpr held meaning_of(const builder& b, int e) {
  for (const ir::operation& o : b.net.operations) {
    if (o.out[0] != e) continue;
    if (ir::traits_of(o.kind).passes_on) return meaning_of(b, o.in[0]);
    if (!ir::traits_of(o.kind).is_equation) return {};
    const ir::program& p = b.net.programs[o.program];
    return read_equation{p}.meaning_of(p.outputs[0]);
  }
  return {};
}

// How to give a loss what it takes.
constexpr ir::sentence remedy_of_meaning(const taken& takes, const held& got) {
  if (takes.kind == meaning::log_probabilities)
    return got.by.empty()
               ? ir::sentence("put activation::log_softmax behind it, or write losses::cross_entropy")
               : ir::sentence("take the log_softmax of what enters the ").append(got.by);
  return ir::sentence("name what enters the ")
      .append(got.by)
      .append(got.by == takes.applies ? ": the loss takes it itself" : "");
}
// Fails if edge e certainly holds something else than the loss takes.
constexpr bool require_meaning(builder& b, int e, const taken& takes, const char* loss) {
  const held got = meaning_of(b, e);
  if (got.kind == meaning::unknown || got.kind == takes.kind) return true;
  b.fail({.rule = ir::sentence(loss)
                      .append(" expects ")
                      .append(name_of(takes.kind))
                      .append(", got ")
                      .append(name_of(got.kind)),
          .source = b[e].path,
          .fix = remedy_of_meaning(takes, got)});
  return false;
}

}  // namespace tenon::inline v0_1::detail
