// A network in two sessions computes what it computes in one: values, gradients, and five steps of Adam. On devices:
// backend/thrust/two_sessions.
#include "engine/two_sessions.hpp"

namespace tenon::test {

TEST_CASE("two sessions on one backend, in double") {
  check_two_sessions<double, backend::reference, backend::reference>(1e-12);
}
TEST_CASE("two sessions on the CPU") { check_two_sessions<float, backend::cpu, backend::cpu>(1e-6); }
TEST_CASE("two sessions on two backends") {
  check_two_sessions<float, backend::cpu, backend::reference>(1e-6);
}

}  // namespace tenon::test
