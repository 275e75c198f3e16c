// The laws of the cells of the architecture search (Jozefowicz et al. 2015) and of Cho's GRU.
#include "support/graphs.hpp"
#include "support/laws.hpp"
#include "tenon/nn/recurrent.hpp"

namespace tenon::test {
using namespace nn;

TEST_CASE("Cho's GRU") { check_laws<over_time<recurrent<cells::gru_cho, hidden<3>>, 5>>(); }
TEST_CASE("MUT1") { check_laws<over_time<recurrent<cells::mut1, hidden<4>>, 3>>(); }
TEST_CASE("MUT2, in both directions") {
  check_laws<over_time<recurrent<cells::mut2, hidden<3>, bidirectional>, 2>>();
}
TEST_CASE("MUT3, stacked") { check_laws<over_time<recurrent<cells::mut3, hidden<2>, layers<2>>, 1>>(); }

}  // namespace tenon::test
