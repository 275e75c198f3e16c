// zoneout<rate>, zoneout<0.05, 0.5>: an option of recurrent layers. In training each unit of a state keeps, with that
// probability, the value of the step before (Krueger et al. 2017); in inference it is the mean of the two,
//   s' = rate s + (1 - rate) new s.
// One rate for all states, or one for each: of the LSTM, h and c. The cell computes its new h from the new c
// before zoneout, as in the paper.
#pragma once

#include "tenon/nn/cell/wrapped.hpp"
#include "tenon/nn/dropout.hpp"

namespace tenon::inline v0_1::nn {

template <auto Rate, auto... More>
struct zoneout : detail::wrapper {
  template <class C>
  using cell = detail::wrapped_cell<C, zoneout>;

  static constexpr ir::step_result after(const auto& taken, ir::step_result made) {
    ir::tape& t = *taken[0].on;
    if (rates.size > 1 && rates.size != made.states.size)
      t.fail({.rule = "zoneout<..> has one rate, or one for each state of the cell:",
              .axis = "rates",
              .expected = made.states.size,
              .got = rates.size,
              .fix = "zoneout<0.05, 0.5> for h and c"});
    for (int s = 0; s < made.states.size && 1 + s < taken.size; ++s) {
      const double rate = rates[rates.size > 1 && s < rates.size ? s : 0];
      if (!(rate >= 0 && rate < 1))
        t.fail({.rule = "zoneout<rate> needs a rate from 0 to below 1",
                .fix = "write the share of units that keep their value: zoneout<0.1>; 1/2 is the whole "
                       "number 0, and 0.0 is none"});
      if (!(rate > 0 && rate < 1)) continue;
      const ir::value before = taken[1 + s];
      t.require_size(made.states[s].index, before.size(), "the cell's next state must have");
      const ir::value change = detail::drop(made.states[s] - before, rate);  // scaled by 1 / (1 - rate)
      replace_state(made, s, before + (1 - rate) * change);
    }
    return made;
  }

 private:
  static constexpr ir::list<double, 1 + sizeof...(More)> rates{ir::share_from<Rate>, ir::share_from<More>...};
};

}  // namespace tenon::inline v0_1::nn
