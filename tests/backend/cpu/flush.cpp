// Subnormal numbers are zeros while a session runs on the CPU backend, and the caller's mode is restored.
#include <tenon/tenon.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

namespace {

using tiny = graph<"tiny", input<"x", features<1>>, node<"y", linear<1>, "x">, output<"y">>;
constexpr float subnormal = 1e-40f;

// Multiplies two numbers in the processor's current mode.
float product(float x, float y) {
  volatile float a = x, b = y, result = a * b;
  return result;
}
bool keeps_subnormals() { return product(1e-20f, 1e-20f) != 0 && product(subnormal, 1) != 0; }

#if defined(__SSE2__)
// Bits of the control register.
constexpr unsigned subnormal_seen = 2, underflow = 0x10, inexact = 0x20, all_flags = 0x3f,
                   both_modes = 0x8040, traps_subnormal = 0x100, traps_division = 0x200,
                   traps_underflow = 0x800, upwards = 0x4000, usual = 0x1f80;

// Restores the register at the end of a test.
struct control_register {
  unsigned before = _mm_getcsr();
  ~control_register() { _mm_setcsr(before); }
};
#endif

template <class Backend>
float ask(float x, float w) {
  parameters<tiny> theta(seed{1});
  get<"y.weight">(theta)(0, 0) = w;
  get<"y.bias">(theta)(0) = 0;
  inference<tiny, on<Backend>> ask;
  return ask(theta, std::vector<float>{x})(0, 0);
}

}  // namespace

#if defined(__SSE2__) || defined(__aarch64__)
TEST_CASE("a session on the CPU computes with zeros instead") {
  CHECK(ask<backend::cpu>(1e-20f, 1e-20f) == 0);    // the result would be subnormal
  CHECK(ask<backend::cpu>(subnormal, 1e30f) == 0);  // the input is
  CHECK(ask<backend::cpu>(2, 3) == 6);
  CHECK(ask<backend::reference>(1e-20f, 1e-20f) > 0);
}
TEST_CASE("the caller's mode comes back") {
  CHECK(keeps_subnormals());
  ask<backend::cpu>(1, 1);
  CHECK(keeps_subnormals());
  {
    const backend::flush_to_zero outer;
    CHECK(!keeps_subnormals());
    {
      const backend::flush_to_zero inner;
      CHECK(!keeps_subnormals());
    }
    CHECK(!keeps_subnormals());
    ask<backend::cpu>(1, 1);
    CHECK(!keeps_subnormals());
  }
  CHECK(keeps_subnormals());
}
#endif

#if defined(__SSE2__)
TEST_CASE("a caller who has set one of the modes gets the other, too") {
  const control_register keep;
  for (const unsigned mode : {0x40u, 0x8000u}) {
    _mm_setcsr(usual | mode);
    {
      const backend::flush_to_zero both;
      CHECK(product(1e-20f, 1e-20f) == 0);
      CHECK(product(subnormal, 1e30f) == 0);
    }
    CHECK(_mm_getcsr() == (usual | mode));
  }
}
TEST_CASE("what else the caller has set holds meanwhile, and all of it comes back, flag by flag") {
  const control_register keep;
  for (const unsigned given :
       {usual, usual | inexact, usual | subnormal_seen | underflow, usual | all_flags, usual | upwards,
        usual & ~traps_division, usual & ~traps_subnormal & ~traps_underflow}) {
    _mm_setcsr(given);
    unsigned inside = 0;
    {
      const backend::flush_to_zero modes;
      inside = _mm_getcsr();
    }
    const unsigned after = _mm_getcsr();
    CHECK(inside == (given | both_modes));
    CHECK(after == given);
  }
}
TEST_CASE("flags raised meanwhile do not stay, those of the caller do") {
  const parameters<tiny> theta(seed{1});
  const std::vector<float> x{1.1f};
  inference<tiny> ask;
  const control_register keep;
  for (const unsigned given : {usual, usual | subnormal_seen}) {
    _mm_setcsr(given);
    unsigned inside = 0;
    {
      const backend::flush_to_zero modes;
      product(1.1f, 1.1f);
      inside = _mm_getcsr();
    }
    CHECK(inside == (given | both_modes | inexact));
    CHECK(_mm_getcsr() == given);
    _mm_setcsr(given);
    ask(theta, x);
    const unsigned after_session = _mm_getcsr();
    CHECK(after_session == given);
  }
}
TEST_CASE("where both modes are set it does nothing, and flags are raised as by any arithmetic") {
  const control_register keep;
  _mm_setcsr(usual | both_modes | subnormal_seen);
  {
    const backend::flush_to_zero modes;
    product(1.1f, 1.1f);
  }
  const unsigned after = _mm_getcsr();
  CHECK((after & ~underflow) == (usual | both_modes | subnormal_seen | inexact));
}
TEST_CASE("an update flushes, too") {
  parameters<tiny> theta(seed{1}), gradients(seed{1});
  get<"y.weight">(theta)(0, 0) = 0;
  get<"y.weight">(gradients)(0, 0) = 1e-38f;
  optimizer<optimizers::sgd, tiny> step(optimizers::sgd{.learning_rate = 1e-4});
  step.update(theta, gradients);
  CHECK(get<"y.weight">(theta)(0, 0) == 0);
  CHECK(keeps_subnormals());
}
#endif
