// What one file of a program compiles for all others. A header that all files include declares it, below its types and outside of namespaces,
//   TENON_DECLARE_SESSION(my::tagging);                   an inference, a stream or a differentiation
//   TENON_DECLARE_TRAINING(my::training, my::samples);    a trainer, and the type of its data
//   TENON_DECLARE_DECODER(generate, my::stream, "word");  generate, greedy, beam_search or forced_decoding, with the arguments of its call
// and one file repeats each with COMPILE in place of DECLARE, or CMake's tenon_network does. A training and a session are names without commas.
// (docs/learn/11-compiling-once.md)
#pragma once

#include "tenon/engine/run/executor.hpp"
#include "tenon/engine/session/options.hpp"
#include "tenon/engine/session/stream_states.hpp"

namespace tenon::inline v0_1::engine {

// The plan that a session or a trainer runs: with shards<N> that of a part of the batch.
template <class Session>
struct plan_run_by {
  using type = typename Session::plan;
};
template <class Session>
requires requires { typename Session::part_plan; }
struct plan_run_by<Session> {
  using type = typename Session::part_plan;
};
template <class Trainer>
requires requires { typename Trainer::session_type; }
struct plan_run_by<Trainer> : plan_run_by<typename Trainer::session_type> {};

// No concepts: of those a compiler says in many lines why they do not hold.
template <class T>
inline constexpr bool is_training = requires {
  typename T::session_type;
  typename T::evaluation_type;
};
template <class T>
inline constexpr bool is_session = !is_training<T> && requires {
  typename T::plan;
};

// Stands for a training or a session whose type has an error, and so has no name: the macros cause no further errors.
struct undeclared {
  struct running {
    using plan = plan_of<graph<"undeclared">, void, purpose::inference>;
  };
  using session_type = running;
  using evaluation_type = running;
  using plan = running::plan;
  struct update_type {
    using scalar = float;
    using touched_type = int;
  };
};
struct none_declared {
  using declared_session = undeclared::running;
  using declared_trainer = undeclared;
  using declared_data = undeclared;
};

}  // namespace tenon::inline v0_1::engine

// Only macros follow: g++ shows the place of an error in a program, and not in each of them.
#pragma GCC system_header

#define TENON_EXECUTOR(session) \
  class tenon::engine::executor<typename tenon::engine::plan_run_by<session>::type>
#define TENON_KEPT(session) struct tenon::engine::kept_in_stream<typename session::plan>
#define TENON_UPDATE(trainer) struct tenon::engine::update_run<typename trainer::update_type>
#define TENON_FIT(trainer, data) \
  tenon::reports::history tenon::fit(trainer&, const data&, const tenon::fit_options<trainer>&)
#define TENON_EVALUATE(trainer, data) \
  tenon::reports::evaluation tenon::evaluate(trainer&, const data&, tenon::engine::metrics_of<trainer>)
#define TENON_VALIDATE(trainer, data)                                                    \
  void tenon::engine::for_each_in_order(const data&, typename trainer::evaluation_type&, \
                                        tenon::engine::function_ref<void()>)
#define TENON_DECODER_generate(...) class tenon::detail::generator_of<"generate", __VA_ARGS__>
#define TENON_DECODER_greedy(...) class tenon::detail::generator_of<"greedy", __VA_ARGS__>
#define TENON_DECODER_beam_search(...) class tenon::detail::beam_searcher<__VA_ARGS__>
#define TENON_DECODER_forced_decoding(...) class tenon::detail::forced_decoder<__VA_ARGS__>

#define TENON_EXTERN_SESSION(session)      \
  extern template TENON_EXECUTOR(session); \
  extern template TENON_KEPT(session)
#define TENON_EXTERN_STEP(trainer)         \
  extern template TENON_EXECUTOR(trainer); \
  extern template TENON_UPDATE(trainer)
#define TENON_EXTERN_LOOP(trainer, data)                    \
  extern template TENON_EXECUTOR(trainer::evaluation_type); \
  extern template TENON_FIT(trainer, data);                 \
  extern template TENON_EVALUATE(trainer, data);            \
  extern template TENON_VALIDATE(trainer, data)
#define TENON_EXTERN_DECODER(decoder, ...) extern template TENON_DECODER_##decoder(__VA_ARGS__)

#define TENON_JOINED(a, b) TENON_JOINED_AS(a, b)
#define TENON_JOINED_AS(a, b) a##b

// An object that compiles one of a header's declarations does not look at the others: each would lay out its network.
#ifdef TENON_DECLARES_NOTHING
#  define TENON_DECLARE_SESSION(session) static_assert(true)
#  define TENON_DECLARE_TRAINING(trainer, data) static_assert(true)
#  define TENON_DECLARE_DECODER(decoder, ...) static_assert(true)
#else
// A type is named in the arguments once, so that it causes one error if it is not there: in a struct whose base has another of this name.
#  define TENON_DECLARE_SESSION(session) \
    TENON_DECLARE_SESSION_AS(TENON_JOINED(tenon_declared_, __COUNTER__), session)
#  define TENON_DECLARE_SESSION_AS(name, session)                                                   \
    namespace {                                                                                     \
    struct name : tenon::engine::none_declared {                                                    \
      using declared_session = session;                                                             \
    };                                                                                              \
    }                                                                                               \
    static_assert(                                                                                  \
        tenon::engine::is_session<name::declared_session>,                                          \
        "TENON_DECLARE_SESSION takes an inference, a streaming or a differentiation, and " #session \
        " is none");                                                                                \
    TENON_EXTERN_SESSION(name::declared_session)
#  define TENON_DECLARE_TRAINING(trainer, data) \
    TENON_DECLARE_TRAINING_AS(TENON_JOINED(tenon_declared_, __COUNTER__), trainer, data)
#  define TENON_DECLARE_TRAINING_AS(name, trainer, data)                                           \
    namespace {                                                                                    \
    struct name : tenon::engine::none_declared {                                                   \
      using declared_trainer = trainer;                                                            \
      using declared_data = data;                                                                  \
    };                                                                                             \
    }                                                                                              \
    static_assert(tenon::engine::is_training<name::declared_trainer>,                              \
                  "TENON_DECLARE_TRAINING takes a trainer and the type of its data, and " #trainer \
                  " is no trainer");                                                               \
    TENON_EXTERN_STEP(name::declared_trainer);                                                     \
    TENON_EXTERN_LOOP(name::declared_trainer, name::declared_data)
#  define TENON_DECLARE_DECODER(decoder, ...) TENON_EXTERN_DECODER(decoder, __VA_ARGS__)
#endif

#define TENON_COMPILE_SESSION(session) \
  template TENON_EXECUTOR(session);    \
  template TENON_KEPT(session)
// A training in two parts, which can be compiled side by side: the step, and the loop around it with the validation.
#define TENON_COMPILE_STEP(trainer) \
  template TENON_EXECUTOR(trainer); \
  template TENON_UPDATE(trainer)
#define TENON_COMPILE_LOOP(trainer, data)            \
  template TENON_EXECUTOR(trainer::evaluation_type); \
  template TENON_FIT(trainer, data);                 \
  template TENON_EVALUATE(trainer, data);            \
  template TENON_VALIDATE(trainer, data)
#define TENON_COMPILE_TRAINING(trainer, data) \
  TENON_COMPILE_STEP(trainer);                \
  TENON_COMPILE_LOOP(trainer, data)
#define TENON_COMPILE_DECODER(decoder, ...) template TENON_DECODER_##decoder(__VA_ARGS__)
