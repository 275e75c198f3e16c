// The option shards<N> of a trainer: what can be wrong with it, and the options of each part's session.
#pragma once

#include "tenon/train/trainer/evaluation.hpp"
#include "tenon/train/trainer/learner.hpp"

namespace tenon::inline v0_1 {

namespace engine {

template <class O>
inline constexpr int parts_of = 0;
template <int N>
inline constexpr int parts_of<shards<N>> = N;
template <class O>
concept ShardsOption = requires(O o) {
  []<int N>(shards<N>) {}(o);
};

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
    if (backend::HasOwnMemory<typename session_options<Options...>::backend>)
      return problem{
          .rule = sentence(option).append(" is for threads, and a device takes the whole batch at once"),
          .fix = "leave the option out"};
    if constexpr (parts <= 0)
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
struct cut_options<N, Done, O, Os...> : cut_options<N, typename Done::template with<O>, Os...> {};
template <int N, class Done, int Parts, class... Os>
struct cut_options<N, Done, shards<Parts>, Os...> : cut_options<N, Done, Os...> {};
template <int N, class Done, int Rows, class... Os>
struct cut_options<N, Done, batch<Rows>, Os...>
    : cut_options<N, typename Done::template with<batch<Rows % N == 0 ? Rows / N : Rows>>, Os...> {};

}  // namespace engine
}  // namespace tenon::inline v0_1
