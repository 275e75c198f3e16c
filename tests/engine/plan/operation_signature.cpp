// What the code of an operation depends on: which inputs it has and how, which of its states are read, and where it contributes.
#include "tenon/engine/plan/operation_signature.hpp"

#include "tenon/engine/session/session.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

namespace tenon::test {
using namespace nn;

using engine::operation_signature, engine::purpose;

template <class Plan>
constexpr const operation_signature& signature_of(const char* path) {
  for (int o = 0; o < Plan::net.operations.size; ++o)
    if (Plan::net.edges[Plan::net.operations[o].out[0]].path == ir::name(path))
      return engine::signatures_of<Plan>[o];
  throw "no operation has this name";
}

// --- a single row of a stream, one step at a time ---
static_assert(operation_signature{.streaming = true}.never_ends_early() &&
              operation_signature{.streaming = true}.one_step());
static_assert(!operation_signature{.streaming = true, .batch = 3}.never_ends_early() &&
              !operation_signature{.streaming = true, .block = 5}.one_step());
static_assert(!operation_signature{}.never_ends_early() && !operation_signature{}.one_step());

// --- the last states of a loop: only those that somebody reads ---
template <class... Shown>
using recurrent_layers =
    graph<"layers", input<"x", features<3>, steps<5>>, node<"h", gru<7>, "x">, node<"m", lstm<4>, "h">,
          node<"last", last_over<>, "m">, node<"y", linear<2>, "last">, output<"y">, Shown...>;
template <class... Shown>
using asking = engine::plan_of<recurrent_layers<Shown...>, void, purpose::inference, batch<3>>;
static_assert(signature_of<asking<>>("h").read_states == 0 && signature_of<asking<>>("m").read_states == 0);
static_assert(signature_of<asking<output<"h.h_n">>>("h").read_states == 0b1 &&
              signature_of<asking<output<"h.h_n">>>("m").read_states == 0);
static_assert(signature_of<asking<output<"m.h_n">>>("m").read_states == 0b01 &&
              signature_of<asking<output<"m.c_n">>>("m").read_states == 0b10);

// --- it walks along the sequence that it reads or makes ---
static_assert(signature_of<asking<>>("h").walks && signature_of<asking<>>("m").walks &&
              !signature_of<asking<>>("y").walks);
static_assert(signature_of<asking<>>("m").sequences == 0b1 && signature_of<asking<>>("y").sequences == 0);
static_assert(signature_of<asking<>>("m").batch == 3 && signature_of<asking<>>("m").features[0] == 7);

// --- it contributes to the adjoints of inputs that have one, but not through the rows of a table that is multiplied ---
template <class... Options>
using learning = engine::plan_of<recurrent_layers<>, losses::mse<"y">, purpose::differentiation, Options...>;
static_assert((signature_of<learning<>>("h").requires_adjoint & 1u) == 0 &&
              (signature_of<learning<>>("m").requires_adjoint & 1u) == 1 &&
              signature_of<learning<>>("y").requires_adjoint == 1);
static_assert((signature_of<learning<input_gradients>>("h").requires_adjoint & 1u) == 1);
static_assert(signature_of<asking<>>("y").requires_adjoint == 0);
using looked_up = graph<"looked up", input<"t", token<3>, steps<20>>, node<"e", embedding<3, 4>, "t">,
                        node<"y", linear<2>, "e">, output<"y">>;
template <class... Options>
using looking_up =
    engine::plan_of<looked_up, losses::mse<"y">, purpose::differentiation, batch<4>, Options...>;
static_assert(looking_up<>::has_tables && signature_of<looking_up<>>("y").requires_adjoint == 0 &&
              !signature_of<looking_up<>>("e").runs);
static_assert(signature_of<looking_up<on<backend::reference>>>("y").requires_adjoint == 1 &&
              signature_of<looking_up<on<backend::reference>>>("e").runs);

}  // namespace tenon::test
