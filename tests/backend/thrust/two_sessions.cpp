// A network in two sessions, on two devices or on a device and the CPU, computes what it computes in one: see engine/two_sessions.hpp.
#include "engine/two_sessions.hpp"

#include "backend/thrust/fenced.hpp"
#include "tenon/backend/cuda/cuda.hpp"

namespace tenon::test {

TEST_CASE("both on a device") { check_two_sessions<float, fenced, fenced>(1e-6); }
TEST_CASE("one on a device, one on the CPU") { check_two_sessions<float, fenced, backend::cpu>(1e-6); }
TEST_CASE("on two kinds of device") {
  check_two_sessions<float, backend::thrust_device, backend::cuda>(1e-6);
}

}  // namespace tenon::test
