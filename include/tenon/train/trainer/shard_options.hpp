// The option shards<N> of a trainer: what can be wrong with it, and the options of each part's session.
#pragma once

#include "tenon/train/trainer/evaluation.hpp"
#include "tenon/train/trainer/learner.hpp"

namespace tenon::inline v0_1 {

namespace engine {

// What runs the shards of graph G, in the program's memory or on a device: type<N, session of a part, plan of the whole batch>. See shards.hpp
// and device_shards.hpp.
template <bool IsThere, class G>
struct runner_of_shards;
template <class X>
concept IsComplete = requires {
  sizeof(X);
};

// A backend with the functions of thrust/shards.hpp.
struct nothing_called {
  void operator()(void*) const {}
};
template <class B>
concept JoinsShards = backend::CopiesEarly<B> &&
    requires(float* x, const int* open, backend::positions_sum* told, backend::run_numbers* run) {
  queue_call(B{}, nothing_called{});
  add_elements(B{}, 1, x, x);
  copy_elements(B{}, 1, x, x);
  tell_losses(B{}, run, told, open, 1, told);
  join_losses(B{}, 1, 1, told, run);
  give_counts(B{}, told, open, 1, told);
};

template <class O>
inline constexpr int parts_of = 0;
template <int N>
inline constexpr int parts_of<shards<N>> = N;
template <class O>
inline constexpr bool cuts_batch = false;
template <int N>
inline constexpr bool cuts_batch<shards<N>> = true;
template <class O>
concept ShardsOption = cuts_batch<O>;

template <class G, class Objective, class... Options>
struct unfit_shards {
  static constexpr problem wrong = [] {
    if (!fits<G, Objective>) return problem{};
    constexpr int parts = (0 + ... + parts_of<Options>), rows = session_options<Options...>::batch;
    if ((0 + ... + ShardsOption<Options>) > 1)
      return problem{.rule = "the trainer's options say shards<N> twice", .fix = "keep one of them"};
    for (const operation& o : network_of<G, Objective>.operations)
      if (o.by_frequency)
        return problem{.rule = "scale_grad_by_freq counts the tokens of a whole batch, and shards<N> cut it",
                       .where = o.path,
                       .fix = "leave one of them out"};
    const sentence option = sentence("shards<").append(parts).append(">");
    using device = typename session_options<Options...>::backend;
    if constexpr (backend::HasOwnMemory<device> && !IsComplete<runner_of_shards<true, G>>)
      return problem{.rule = sentence(option).append(" on a device needs a header that is not included"),
                     .fix = "include <tenon/on_device.hpp>"};
    else if constexpr (backend::HasOwnMemory<device> && !JoinsShards<device>)
      return problem{
          .rule = sentence(option).append(" on a device adds blocks there, and this backend does not"),
          .fix = "give it the functions of tenon/backend/thrust/shards.hpp"};
    else if constexpr (parts <= 0)
      return problem{.rule = sentence(option).append(" cuts the batch into no parts"),
                     .fix = "write how many parts of the batch may run at once"};
    else if constexpr (rows % parts != 0) {
      const int less = rows / parts * parts;
      problem p{
          .rule = sentence(option).append(" cannot cut batch<").append(rows).append("> into equal parts"),
          .fix = sentence("write batch<").append(less > 0 ? less : parts).append(">")};
      if (less > 0) p.fix.append(" or batch<").append(less + parts).append(">");
      return p;
    }
    return problem{};
  }();
};

// The options of one part, and those of a session for the whole batch.
template <class... Os>
struct option_list {
  template <class O>
  using with = option_list<Os..., O>;
  template <class G, class Objective>
  using session = differentiation<G, Objective, Os...>;
  template <class G, class Objective>
  using plan = plan_of<G, Objective, purpose::differentiation, Os...>;
  template <class G, class Objective>
  using evaluated = evaluation<G, Objective, Os...>;
  template <class G, class Objective>
  using unfit = unfit_option<G, Objective, purpose::differentiation, Os...>;
};
template <int N, class Done, class... Os>
struct cut_options {
  using type = Done;
};
template <int N, class Done, class O, class... Os>
struct cut_options<N, Done, O, Os...>
    : cut_options<N, typename Done::template with<option_of_session<O>>, Os...> {};
template <int N, class Done, int Parts, class... Os>
struct cut_options<N, Done, shards<Parts>, Os...> : cut_options<N, Done, Os...> {};
template <int N, class Done, int Rows, class... Os>
struct cut_options<N, Done, batch<Rows>, Os...>
    : cut_options<N, typename Done::template with<batch<Rows % N == 0 ? Rows / N : Rows>>, Os...> {};

}  // namespace engine
}  // namespace tenon::inline v0_1
