// rehearsal: checks that everything made from an equation has room. Its gradient, the saved values, its schedules and
// the bodies of its kernels are lists of fixed capacity. For a long equation all of them are made while the graph is
// checked, so that an error message names the list that is too short.
#pragma once

#include "tenon/equation/split.hpp"
#include "tenon/lowering/body.hpp"
#include "tenon/lowering/make_schedule.hpp"
#include "tenon/meta/shortened.hpp"

#include <type_traits>

namespace tenon::inline v0_1::ir {

// Everything made from an equation of so many instructions surely fits.
inline constexpr int surely_small = 40;
// Does it for this equation? Pairs of steps become several instructions for each group.
constexpr bool is_surely_small(const program_view& p) {
  int size = p.code.size;
  for (const instruction& i : p.code)
    if (i.code == opcode::pair_dot || i.code == opcode::pair_sum) size += 2 * i.count;
  return size <= surely_small;
}

namespace detail {

// Source::value is the program, Source::states how many values are carried from step to step.
constexpr list<bool, max_program_inputs> all_inputs(const program_view& p) {
  list<bool, max_program_inputs> all;
  for (int i = 0; i < p.inputs.size; ++i) all.add(true);
  return all;
}
template <class Source>
constexpr differentiated reversed_whole() {
  return reverse(Source::value, all_inputs(Source::value));
}
template <class Source>
constexpr gradient_pair split_whole() {
  return split(reversed_whole<Source>());
}
constexpr carried_pairs carried_from(int first, int states) {
  carried_pairs all;
  for (int s = 0; s < states; ++s) all.add({first + s, 1 + s});
  return all;
}
// The schedule for a backend that runs one step at a time: the longest form.
constexpr schedule longest_schedule(const program_view& p, const carried_pairs& carried) {
  return make_schedule(without_pairs(p), carried);
}
constexpr bool has_bodies(const schedule& s) {
  for (int k = 0; k < s.kernels.size; ++k)
    if (s.kernels[k].kind == kernel_kind::map) body_of(s, k);
  return true;
}
// All that is made from an equation, in one evaluation: nothing of it is kept. (No templates: clang would evaluate them
// with constant arguments several times.)
constexpr bool makes_schedules(const program_view& p, int states) {
  return has_bodies(longest_schedule(p, carried_from(1, states)));
}
constexpr bool makes_gradient(const program_view& p, int states) {
  const gradient_pair both = split(reverse(p, all_inputs(p)));
  return makes_schedules(both.forward, states) &&
         has_bodies(longest_schedule(both.backward, carried_from(p.inputs.size + 1, states)));
}
template <class Source, bool Training>
concept HasRoom = requires {
  typename std::bool_constant<Training ? makes_gradient(Source::value, Source::states)
                                       : makes_schedules(Source::value, Source::states)>;
};

// If that does not end, the parts one by one.
template <class Source>
struct split_once {
  constexpr gradient_pair make() const { return split_whole<Source>(); }
  static constexpr const gradient_pair_view& value() {
    return shortened<split_once, basic_gradient_pair, 64>::value;
  }
};
template <class Source>
struct forward_of {
  static constexpr program_view value() { return Source::value; }
  static constexpr int first_carried = 1, states = Source::states;
};
template <class Source>
struct kept_forward_of : forward_of<Source> {
  static constexpr program_view value() { return split_once<Source>::value().forward; }
};
template <class Source>
struct backward_of {
  static constexpr program_view value() { return split_once<Source>::value().backward; }
  static constexpr int first_carried = Source::value.inputs.size + 1, states = Source::states;
};
template <class Direction>
constexpr schedule schedule_of() {
  return longest_schedule(Direction::value(), carried_from(Direction::first_carried, Direction::states));
}
template <class Direction>
struct scheduled_once {
  constexpr schedule make() const { return schedule_of<Direction>(); }
  static constexpr const schedule_view& value() {
    return shortened<scheduled_once, basic_schedule, 64>::value;
  }
};

template <class Source>
concept Reverses = requires {
  typename std::bool_constant<(reversed_whole<Source>(), true)>;
};
template <class Source>
concept Splits = requires {
  typename std::bool_constant<(split_whole<Source>(), true)>;
};
template <class Direction>
concept Schedules = requires {
  typename std::bool_constant<(schedule_of<Direction>(), true)>;
};
template <class Direction, int Kernel>
concept HasBody = requires {
  typename std::bool_constant<(body_of(scheduled_once<Direction>::value(), Kernel), true)>;
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
    constexpr int count = scheduled_once<Direction>::value().kernels.size;
    const bool all = []<int... K>(std::integer_sequence<int, K...>) {
      return (... && (scheduled_once<Direction>::value().kernels[K].kind != kernel_kind::map ||
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
  } else if constexpr (detail::HasRoom<Source, Training>) {
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

}  // namespace tenon::inline v0_1::ir
