// body_of: what one map of a schedule computes for each feature, with its loads and stores.
#pragma once

#include "tenon/lowering/schedule.hpp"

namespace tenon::inline v0_1::ir {

constexpr map_body body_of(const schedule_view& s, int index) {
  const program_view& p = s.equations;
  map_body body;
  body.width = s.kernels[index].width;
  int local[max_instructions]{};
  for (int k = 0; k < p.code.size; ++k) local[k] = -1;
  const auto use = [&](auto&& self, int k) -> int {
    if (local[k] >= 0) return local[k];
    if (p.code[k].code == opcode::constant) return local[k] = body.code.add(p.code[k]);
    if (s.inlined[k]) {
      instruction i = p.code[k];
      for (short* o : {&i.a, &i.b, &i.c})
        if (*o >= 0) *o = static_cast<short>(self(self, *o));
      return local[k] = body.code.add(i);
    }
    const bool repeats =
        s.domains[k] != domain::free && !has_axis(s.domains[k], s.kernels[index].runs_along());
    const int load = body.loads.add({s.places[k], p.code[k].size == 1 && body.width > 1, repeats});
    return local[k] = body.code.add({.code = opcode::input, .first = load, .size = p.code[k].size});
  };
  for (int k = 0; k < p.code.size; ++k) {
    if (s.kernel_of[k] != index) continue;
    instruction i = p.code[k];
    for (short* o : {&i.a, &i.b, &i.c})
      if (*o >= 0) *o = static_cast<short>(use(use, *o));
    if (is_elementwise(i.code)) {
      if (is_spread(i)) i.first = 0;  // where it is read, it is at every step
      local[k] = body.code.add(i);
      const accumulation how = s.accumulates[k];
      if (s.places[k].in != space::none)
        body.stores.add({.to = s.places[k],
                         .local = short(local[k]),
                         .adds = how == accumulation::add || how == accumulation::add_steps,
                         .over_steps = how == accumulation::sum_steps || how == accumulation::add_steps});
    } else {
      body.stores.add({s.places[k], i.a, i.code});
    }
  }
  return body;
}

}  // namespace tenon::inline v0_1::ir
