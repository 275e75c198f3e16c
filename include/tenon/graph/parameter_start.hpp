// How a stored parameter starts. Its symbols all start alike, or alike except for a few adjacent ones.
#pragma once

#include "tenon/equation/rewrite.hpp"
#include "tenon/graph/initializer.hpp"
#include "tenon/graph/network.hpp"

namespace tenon::inline v0_1::ir {

constexpr problem unfit_initializer(const parameter& p) {
  initializer_mistake mistake = mistake_in(p.start, p.rows, p.columns > 0);
  if (mistake.rule == nullptr && p.apart.count > 0)
    mistake = mistake_in(p.apart.start, p.apart.count, p.columns > 0);
  if (mistake.rule == nullptr) return {};
  return {.rule = mistake.rule, .where = p.path, .fix = mistake.fix};
}

// Finds a start for a symbol that the equation does not have. Checked before an option such as no_bias removes symbols.
constexpr problem unfit_names_of_parameters(const program& p, const initializers& start) {
  for (int n = 0; n < start.named_count; ++n) {
    const start_value& own = start.named[n];
    bool has_letter = false, is_there = own.may_be_missing;
    for (const symbol& s : p.symbols)
      if (s.letter == own.letter) {
        has_letter = true;
        is_there = is_there || !own.is_of_gate || s.gate == own.gate;
      }
    if (is_there) continue;
    sentence rule = sentence("starts[] has the letter '").append(own.letter.view()), all = "its letters are";
    if (has_letter) {
      rule = sentence("starts[] has '")
                 .append(own.letter.view())
                 .append("' of a gate '")
                 .append(own.gate.view());
      all = sentence("its gates of '").append(own.letter.view()).append("' are");
    }
    nearest likely{name((has_letter ? own.gate : own.letter).view())};
    for (int k = 0; k < p.symbols.size; ++k) {
      const symbol& s = p.symbols[k];
      bool is_said = has_letter && s.letter != own.letter;
      for (int before = 0; before < k; ++before)
        is_said = is_said || (!has_letter && p.symbols[before].letter == s.letter);
      if (is_said) continue;
      const label& known = has_letter ? s.gate : s.letter;
      likely.consider(name(known.view()));
      all.append(" '").append(known.view()).append("'");
    }
    return {.rule = rule.append("', and the equation has not"), .fix = likely.suggestion(all)};
  }
  return {};
}

// Sets the start of a stacked parameter from its symbols, which all start alike, or except for a few adjacent ones.
constexpr problem start_gates(parameter& stacked, const program_view& p, const stored_parameter& s,
                              const initializers& start) {
  const auto of = [&](int gate) { return start.of(p.symbols[s.first + gate]); };
  bool are_equally_high = true;
  for (int g = 1; g < s.count; ++g)
    are_equally_high = are_equally_high && p.symbols[s.first + g].rows == p.symbols[s.first].rows;
  for (int most = 0; most < s.count; most += s.count - 1) {  // how most of them start: the first, or the last
    int first = s.count, last = -1, row = 0;
    for (int g = 0; g < s.count; ++g)
      if (of(g) != of(most)) {
        first = g < first ? g : first;
        last = g;
      }
    rows_apart apart;
    bool are_alike = true;
    for (int g = 0; g <= last; row += p.symbols[s.first + g].rows, ++g) {
      if (g == first) apart = {row, 0, of(g)};
      if (g >= first) {
        apart.count += p.symbols[s.first + g].rows;
        are_alike = are_alike && of(g) == of(first);
      }
    }
    const bool are_blocks = are_equally_high || !(of(most).needs_matrix() || apart.start.needs_matrix());
    if (!are_alike || !are_blocks) continue;
    stacked.start = of(most);
    stacked.apart = apart;
    if (of(most).needs_matrix()) stacked.start.blocks = s.count;
    if (apart.start.needs_matrix()) stacked.apart.start.blocks = last - first + 1;
    return unfit_initializer(stacked);
  }
  return {.rule = sentence("the gates of '").append(stacked.path.view()).append("' start in too many ways"),
          .fix = "let all but some neighbours start alike, or leave out the equation's storage"};
}

}  // namespace tenon::inline v0_1::ir
