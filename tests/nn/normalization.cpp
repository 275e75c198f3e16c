// The laws of layer normalisation.
#include "tenon/nn/normalization.hpp"

#include "support/graphs.hpp"
#include "support/laws.hpp"
#include "support/sequences.hpp"
#include "tenon/nn/recurrent.hpp"

namespace tenon::test {
using namespace nn;

// Normalised products, and the state itself: a layer normalisation in a cell (Ba et al. 2016).
struct normal_cell : equations::symbols {
  static constexpr auto step(auto x, auto h) {
    return tanh(normalize(W<"", 4>(x)) * vector<"gain"> + normalize(U<>(h)) + b<>);
  }
};
TEST_CASE("layer normalisation, as a layer and in a cell") {
  check_laws<meeting_itself<layer_norm, 5>>();
  check_laws<meeting_itself<recurrent<normal_cell, hidden<4>>, 3>>();
}

}  // namespace tenon::test
