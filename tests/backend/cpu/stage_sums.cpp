// The sums of a stage: few and many of them, and the order of the products.
#include "support/check_stage.hpp"

using namespace tenon;
using namespace tenon::test;

TEST_CASE("one, two and more rows together, by the number of sums") {
  check_stage_rows<cell_step<cell_with_gates<2>, 3, 17>>();
  check_stage_rows<cell_step<cell_with_gates<3>, 3, 16>>();
  check_stage_rows<cell_step<cell_with_gates<5>, 3, 17>>();
  check_stage_rows<cell_step<cell_with_gates<8>, 2, 16>>();
  check_stage_rows<cell_step<cell_with_gates<12>, 2, 17>>();
  check_stage_rows<cell_step<cell_with_gates<16>, 2, 5>>();
}
TEST_CASE("one row, to and fro over the products of a group") {
  for (int steps : {1, 2, 3}) {
    check_stage<cell_step<nn::cells::lstm, 33, 33>, float, backend::cpu, true>(steps, 1, 0);
    check_stage<cell_step<nn::cells::lstm, 33, 33>, float, rounded, true>(steps, 1, 0);
    check_stage<cell_step<nn::cells::lstm, 24, 24>, double, backend::cpu, true>(steps, 1, 0);
    check_stage<cell_step<nn::cells::gru, 40, 40>, float, backend::cpu, true>(steps, 1, 0);
    check_stage<cell_step<many_gates, 20, 20>, float, backend::cpu, true>(steps, 1, 0);
  }
}
