// rehearsal: checks that everything made from an equation has room. Its gradient, the saved values, its schedules and
// the bodies of its kernels are lists of fixed capacity. For a long equation all of them are made while the graph is
// checked, so that an error message names the list that is too short.
#pragma once

#include "tenon/equation/split.hpp"
#include "tenon/lowering/body.hpp"
#include "tenon/lowering/make_schedule.hpp"

#include <type_traits>

namespace tenon::ir {

// Does everything made from this equation surely fit? Pairs of steps become several instructions for each group.
constexpr bool is_surely_small(const program_view& p) {
  int size = p.code.size;
  for (const instruction& i : p.code)
    if (i.code == opcode::pair_dot || i.code == opcode::pair_sum) size += 2 * i.count;
  return size <= 40;
}

namespace detail {

// Source::value is the program, Source::states how many values are carried from step to step.
template <class Source>
constexpr differentiated reversed_whole() {
  list<bool, max_program_inputs> requires_adjoint;
  for (int i = 0; i < Source::value.inputs.size; ++i) requires_adjoint.add(true);
  return reverse(Source::value, requires_adjoint);
}
template <class Source>
struct reversed_once {
  static constexpr differentiated value = reversed_whole<Source>();
};
template <class Source>
struct split_once {
  static constexpr gradient_pair value = split(reversed_once<Source>::value);
};
template <class Source>
struct forward_of {
  static constexpr program_view value = Source::value;
  static constexpr carried_pairs carried = [] {
    carried_pairs all;
    for (int s = 0; s < Source::states; ++s) all.add({1 + s, 1 + s});
    return all;
  }();
};
template <class Source>
struct kept_forward_of : forward_of<Source> {
  static constexpr program_view value = split_once<Source>::value.forward;
};
template <class Source>
struct backward_of {
  static constexpr program_view value = split_once<Source>::value.backward;
  static constexpr carried_pairs carried = [] {
    carried_pairs all;
    for (int s = 0; s < Source::states; ++s) all.add({Source::value.inputs.size + 1 + s, 1 + s});
    return all;
  }();
};
// The schedule for a backend that runs one step at a time: the longest form.
template <class Direction>
constexpr schedule schedule_of() {
  return make_schedule(without_pairs(Direction::value), Direction::carried);
}
template <class Direction>
struct scheduled_once {
  static constexpr schedule value = schedule_of<Direction>();
};

template <class Source>
concept Reverses = requires {
  typename std::bool_constant<(reversed_whole<Source>(), true)>;
};
template <class Source>
concept Splits = requires {
  typename std::bool_constant<(split(reversed_once<Source>::value), true)>;
};
template <class Direction>
concept Schedules = requires {
  typename std::bool_constant<(schedule_of<Direction>(), true)>;
};
template <class Direction, int Kernel>
concept HasBody = requires {
  typename std::bool_constant<(body_of(scheduled_once<Direction>::value, Kernel), true)>;
};

constexpr problem no_room(const sentence& rule) {
  return {.rule = rule, .fix = "make two nodes of it: each has room of its own"};
}
template <class Direction>
constexpr problem rehearse_kernels() {
  if constexpr (!Schedules<Direction>) {
    return no_room(sentence("the equation needs more than ")
                       .append(max_instructions)
                       .append(" instructions or ")
                       .append(decltype(schedule::kernels)::capacity)
                       .append(" kernels, or more steps than the compiler takes"));
  } else {
    constexpr int count = scheduled_once<Direction>::value.kernels.size;
    const bool all = []<int... K>(std::integer_sequence<int, K...>) {
      return (... && (scheduled_once<Direction>::value.kernels[K].kind != kernel_kind::map ||
                      HasBody<Direction, K>));
    }
    (std::make_integer_sequence<int, count>{});
    if (all) return {};
    return no_room(sentence("a part of the equation reads or writes more than ")
                       .append(decltype(map_body::loads)::capacity)
                       .append(" values at once"));
  }
}

}  // namespace detail

template <class Source, bool Training>
constexpr problem rehearse() {
  if constexpr (is_surely_small(Source::value)) {
    return {};
  } else if constexpr (!Training) {
    return detail::rehearse_kernels<detail::forward_of<Source>>();
  } else if constexpr (!detail::Reverses<Source>) {
    return detail::no_room(sentence("the equation and its gradient have more than ")
                               .append(max_instructions)
                               .append(" instructions"));
  } else if constexpr (!detail::Splits<Source>) {
    return detail::no_room(sentence("the gradient of the equation keeps more than ")
                               .append(max_program_outputs)
                               .append(" values"));
  } else {
    if (const problem p = detail::rehearse_kernels<detail::kept_forward_of<Source>>()) return p;
    return detail::rehearse_kernels<detail::backward_of<Source>>();
  }
}

}  // namespace tenon::ir
