// Stages of an LSTM: whole vectors of units and every kind of rest; and the order of the units.
#include "support/check_stage.hpp"

using namespace tenon;
using namespace tenon::test;

static_assert(backend::detail::stage_vector<1, float>::size == backend::simd::narrowest<float> &&
              backend::detail::stage_vector<16, float>::size == backend::simd::widest<float>);

TEST_CASE("an LSTM, in all its tails") {
  check_stage_rows<cell_step<nn::cells::lstm, 1, 1>>();
  check_stage_rows<cell_step<nn::cells::lstm, 3, 2>>();
  check_stage_rows<cell_step<nn::cells::lstm, 3, 7>>();
  check_stage_rows<cell_step<nn::cells::lstm, 5, 8>>();
  check_stage_rows<cell_step<nn::cells::lstm, 8, 16>>();
  check_stage_rows<cell_step<nn::cells::lstm, 16, 17>>();
  check_stage_rows<cell_step<nn::cells::lstm, 5, 33>>();
  check_stage_rows<cell_step<nn::cells::lstm, 33, 48>>();
}
TEST_CASE("a training step stores what it keeps") { check_stage_rows<training_step<nn::cells::lstm, 5, 17>>(); }
TEST_CASE("weights that no second cache holds: all rows take one group of units after the other") {
  const auto check = []<class Equations, class T>() {
    for (int steps : {1, 3})
      for (int rows : {1, 4, 11})
        for (int gap : {0, 3}) check_stage<Equations, T>(steps, rows, gap);
  };
  check.template operator()<cell_step<nn::cells::lstm, 70, 155>, float>();
  check.template operator()<cell_step<nn::cells::lstm, 64, 144>, double>();
  check.template operator()<layer<257, 517>, float>();
  check.template operator()<layer<256, 528>, float>();
}
TEST_CASE("one row, to and fro over the units") {
  for (int steps : {1, 3}) {
    check_stage<cell_step<nn::cells::lstm, 64, 64>, float, backend::cpu, true>(steps, 1, 0);
    check_stage<cell_step<nn::cells::gru, 64, 75>, float, backend::cpu, true>(steps, 1, 0);
    check_stage<cell_step<nn::cells::gru_cho, 40, 70>, double, backend::cpu, true>(steps, 1, 3);
    check_stage<cell_step<nn::cells::lstm, 64, 70>, float, rounded, true>(steps, 1, 0);
  }
}
