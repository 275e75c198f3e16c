// state_errors: mistakes in the names and values of a stream's states, found at compile time.
#pragma once

#include "tenon/engine/refusals/value_errors.hpp"
#include "tenon/engine/session/stream_states.hpp"

namespace tenon::inline v0_1::engine {

template <class Plan, text Name>
struct unfit_name_of_state {
  static constexpr problem wrong = [] {
    const auto& all = carried_states<Plan>;
    nearest known{Name};
    sentence list = "its states are";
    for (int k = 0; k < all.size; ++k) {
      if (all[k].layer > 0) continue;
      const name full = all[k].full_name();
      known.consider(full);
      known.consider(all[k].path);
      if (list.size + full.size + 8 <= sentence::capacity)
        list.append(k > 0 ? ", '" : " '").append(full.view()).append("'");
    }
    if (all.empty()) list = "no recurrent layer runs step by step in it";
    for (const operation& op : Plan::net.operations)
      if (op.path == name(Name) && traits_of(op.kind).is_loop)
        return problem{.rule = sentence("node '")
                                   .append(Name.view())
                                   .append("' runs over whole sequences and carries no state"),
                       .fix = list};
    return problem{.rule = sentence("the stream has no state '").append(Name.view()).append("'"),
                   .fix = known.suggestion(list)};
  }();
};

// What is wrong with the argument of set_state: [rows, size], or [layers, rows, size] for several layers.
template <class Plan, text Name, class X>
struct unfit_state {
  static constexpr problem wrong = [] {
    constexpr found_state f = state_of<Plan, Name>;
    constexpr edge like{.path = name(Name), .size = carried_states<Plan>[f.first].size, .layers = f.layers};
    return unfit_value<X>(expected_value{like, false, "state"});
  }();
};

}  // namespace tenon::inline v0_1::engine
