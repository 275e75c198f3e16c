// Sessions whose recurrent layers run all steps in one kernel, in the emulation of blocks and threads: outputs, final states and gradients
// have the bits of the same kernels step by step, and are the reference's in double.
// Bits are compared: the compiler must not fuse a product and a sum in one kernel and leave them apart in the other.
// flags: -ffp-contract=off
#include "support/crossed_cell.hpp"
#include "support/laws.hpp"
#include "tenon/backend/cuda/cuda.hpp"
#include "tenon/nn/recurrent.hpp"

#include <vector>

namespace tenon::test {

struct by_steps : backend::cuda {};
constexpr loop_limits limits_of_loops(by_steps, int) { return {}; }

// No value at zero, which is what stands past a sequence's end.
struct logarithmic_cell {
  static constexpr auto step(auto x, auto h) {
    using namespace equations;
    return next(log(abs(x + U<>(h))));
  }
};

template <class Layer, int Features, int Steps>
using over_time = graph<"over time", input<"x", features<Features>, steps<Steps>>, node<"y", Layer, "x">,
                        output<"y">, output<"y.h_n">>;

// Some rows of the batch are not given.
template <concepts::Graph G, int Rows>
void check_same_bits() {
  constexpr int bound = network_of<G>.axes[0].bound;
  std::vector<int> mixed, full;
  for (int r = 0; r < Rows - Rows / 4; ++r)
    mixed.push_back((bound - 1 + 3 * r) % (bound + 1)), full.push_back(bound);
  trial<oracle, G, Rows> exact(9);
  trial<machine<by_steps, float>, G, Rows> stepped(9);
  trial<machine<backend::cuda, float>, G, Rows> whole(9);
  for (const auto& lengths : {full, std::vector<int>(full.size(), 0), mixed}) {
    const sample<G> s(lengths, 1);
    const findings got = whole(s);
    check_same(stepped(s), got);
    check_near(exact(s), got, 1e-5, 1e-4);
  }
}

TEST_CASE("an LSTM of two layers in both directions") {
  check_same_bits<over_time<lstm<7, bidirectional, layers<2>>, 3, 5>, 7>();
}
TEST_CASE("more steps than one block of them has") { check_same_bits<over_time<lstm<5>, 3, 17>, 33>(); }
TEST_CASE("one row") { check_same_bits<over_time<gru<9, bidirectional>, 1, 4>, 1>(); }
TEST_CASE("cells of one's own") {
  check_same_bits<over_time<recurrent<crossed_cell, hidden<5>, bidirectional>, 2, 4>, 7>();
  check_same_bits<over_time<recurrent<logarithmic_cell, hidden<3>>, 3, 4>, 7>();
}

}  // namespace tenon::test
