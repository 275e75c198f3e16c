// The laws of multi-head attention.
#include "tenon/nn/multi_head.hpp"

#include "support/graphs.hpp"
#include "support/laws.hpp"
#include "support/sequences.hpp"

namespace tenon::test {

TEST_CASE("multi-head attention to another sequence") {
  check_laws<crossing<multi_head<6, 2>, 6, 6, 4, 3>>();
  check_laws<crossing<multi_head<6, 3>, 2, 5, 3, 4>>();
}
TEST_CASE("multi-head attention to itself") {
  check_laws<meeting_itself<multi_head<8, 2, is_causal>, 8>>();
  check_laws<meeting_itself<multi_head<3, 1>, 3, 1>>();
}

}  // namespace tenon::test
