// What the options of a session mean: batch<rows>, steps<bound>, on<backend>, scalar_type<T>,
// input_gradients.
#pragma once

#include "tenon/engine/plan.hpp"

namespace tenon::engine {

template <class O>
concept BatchOption = requires {
  O::rows;
};
template <class O>
concept BackendOption = requires {
  typename O::backend;
};
template <class O>
concept ScalarOption = requires {
  typename O::scalar;
};
template <class O>
concept TimeOption = requires {
  O::bound;
};

template <class... Options>
struct session_options {
  static constexpr int batch = [] {
    int rows = 1;
    [[maybe_unused]] const auto look = [&]<class O>() {
      if constexpr (BatchOption<O>) rows = O::rows;
      else
        static_assert(
            BackendOption<O> || ScalarOption<O> || TimeOption<O> || std::same_as<O, input_gradients>,
            "options of a session: batch<rows>, steps<bound>, on<backend>, scalar_type<T>, input_gradients");
    };
    (look.template operator()<Options>(), ...);
    return rows;
  }();
  static_assert(batch > 0, "batch<rows> needs a positive number of rows");
  static constexpr bool with_input_gradients = (std::same_as<Options, input_gradients> || ...);

  template <class Default, class... Os>
  struct backend_of {
    using type = Default;
  };
  template <class Default, class O, class... Os>
  struct backend_of<Default, O, Os...> : backend_of<Default, Os...> {};
  template <class Default, BackendOption O, class... Os>
  struct backend_of<Default, O, Os...> {
    using type = typename O::backend;
  };
  template <class Default, class... Os>
  struct scalar_of {
    using type = Default;
  };
  template <class Default, class O, class... Os>
  struct scalar_of<Default, O, Os...> : scalar_of<Default, Os...> {};
  template <class Default, ScalarOption O, class... Os>
  struct scalar_of<Default, O, Os...> {
    using type = typename O::scalar;
  };
  using backend = typename backend_of<tenon::backend::cpu, Options...>::type;
  using scalar = typename scalar_of<float, Options...>::type;
};

template <class O>
struct no_bound {
  static constexpr label name{};
  static constexpr int bound = 0;
};
template <class O>
struct bound_of {
  using type = no_bound<O>;
};
template <TimeOption O>
struct bound_of<O> {
  using type = O;
};

// Every steps<bound, "axis"> option names an axis of the graph.
template <class G, class Objective, class... Options>
constexpr bool axes_exist() {
  [[maybe_unused]] const auto exists = [](const label& axis) {
    for (const time_axis& known : network_of<G, Objective>.axes)
      if (known.name == axis) return true;
    return !fits<G, Objective>;
  };
  return (... && (!TimeOption<Options> || exists(bound_of<Options>::type::name)));
}

template <class G, class Objective, purpose Purpose, class... Options>
using plan_of = plan<G, Objective, Purpose, typename session_options<Options...>::backend,
                     typename session_options<Options...>::scalar, session_options<Options...>::batch,
                     session_options<Options...>::with_input_gradients, typename bound_of<Options>::type...>;

}  // namespace tenon::engine
