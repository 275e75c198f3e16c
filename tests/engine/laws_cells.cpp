// The laws of the cells of the architecture search (Jozefowicz et al. 2015) and of Cho's GRU.
#include "support/graphs.hpp"
#include "support/laws.hpp"
#include "tenon/nn/recurrent.hpp"

namespace tenon::test {

struct mut1_cell {
  static constexpr auto step(auto x, auto h) {
    using namespace equations;
    auto z = sigmoid(W<"z">(x) + b<"z">);
    auto r = sigmoid(W<"r">(x) + U<"r">(h) + b<"r">);
    return next(tanh(U<"h">(r * h) + tanh(W<"h">(x)) + b<"h">) * z + h * (1 - z));
  }
};
struct mut2_cell {
  static constexpr auto step(auto x, auto h) {
    using namespace equations;
    auto z = sigmoid(W<"z">(x) + U<"z">(h) + b<"z">);
    auto r = sigmoid(W<"r">(x) + U<"r">(h) + b<"r">);
    return next(tanh(U<"h">(r * h) + W<"h">(x) + b<"h">) * z + h * (1 - z));
  }
};
struct mut3_cell {
  static constexpr auto step(auto x, auto h) {
    using namespace equations;
    auto z = sigmoid(W<"z">(x) + U<"z">(tanh(h)) + b<"z">);
    auto r = sigmoid(W<"r">(x) + U<"r">(h) + b<"r">);
    return next(tanh(U<"h">(r * h) + W<"h">(x) + b<"h">) * z + h * (1 - z));
  }
};

TEST_CASE("Cho's GRU") { check_laws<over_time<gru_cho<3>, 5>>(); }
TEST_CASE("MUT1") { check_laws<over_time<recurrent<mut1_cell, hidden<4>>, 3>>(); }
TEST_CASE("MUT2, in both directions") {
  check_laws<over_time<recurrent<mut2_cell, hidden<3>, bidirectional>, 2>>();
}
TEST_CASE("MUT3, stacked") { check_laws<over_time<recurrent<mut3_cell, hidden<2>, layers<2>>, 1>>(); }

}  // namespace tenon::test
