// Subnormal numbers are zeros while a session runs on the CPU backend, and the caller's mode comes back.
#include <tenon/tenon.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace tenon;

namespace {

using tiny = graph<"tiny", input<"x", features<1>>, node<"y", linear<1>, "x">, output<"y">>;
constexpr float subnormal = 1e-40f;

// Multiplies two numbers in the mode that holds now.
float product(float x, float y) {
  volatile float a = x, b = y;
  return a * b;
}
bool keeps_subnormals() { return product(1e-20f, 1e-20f) != 0 && product(subnormal, 1) != 0; }

template <class Backend>
float ask(float x, float w) {
  parameters<tiny> theta(seed{1});
  theta.get<"y.weight">()(0, 0) = w, theta.get<"y.bias">()(0) = 0;
  inference<tiny, on<Backend>> ask;
  return ask(theta, std::vector<float>{x})(0, 0);
}

}  // namespace

#if defined(__SSE2__)
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
TEST_CASE("a caller who has set one of the modes gets the other, too") {
  const unsigned before = _mm_getcsr();
  for (const unsigned mode : {0x40u, 0x8000u}) {
    _mm_setcsr(before | mode);
    {
      const backend::flush_to_zero both;
      CHECK(product(1e-20f, 1e-20f) == 0);
      CHECK(product(subnormal, 1e30f) == 0);
    }
    CHECK((_mm_getcsr() & 0x8040u) == mode);
    _mm_setcsr(before);
  }
}
TEST_CASE("what else the caller has set holds meanwhile, and all of it comes back") {
  const unsigned usual = _mm_getcsr() & ~0x3fu, inexact = 0x20, upwards = 0x4000, traps_division = 0x200,
                 subnormal_seen = 2;
  for (const unsigned given : {usual, usual | inexact, usual | upwards, usual & ~traps_division}) {
    _mm_setcsr(given);
    {
      const backend::flush_to_zero inside;
      CHECK((_mm_getcsr() & ~0x3fu) == ((given & ~0x3fu) | 0x8040));
    }
    CHECK((_mm_getcsr() & ~subnormal_seen) == given);
  }
  _mm_setcsr(usual);
}
TEST_CASE("an update flushes, too") {
  parameters<tiny> theta(seed{1}), gradients(seed{1});
  theta.get<"y.weight">()(0, 0) = 0;
  gradients.get<"y.weight">()(0, 0) = 1e-38f;
  optimizer<sgd, tiny> step(sgd{.rate = 1e-4});
  step.update(theta, gradients);
  CHECK(theta.get<"y.weight">()(0, 0) == 0);
  CHECK(keeps_subnormals());
}
#endif
