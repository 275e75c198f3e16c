// Sessions whose recurrent layers run all steps in one kernel, forward and backward, in the emulation of blocks and threads: outputs, final
// states and gradients equal those of other kernels step by step, and the reference's in double; equal runs give equal bits.
#include "support/crossed_cell.hpp"
#include "support/laws.hpp"
#include "tenon/backend/cuda/cuda.hpp"
#include "tenon/nn/recurrent.hpp"

#include <vector>

namespace tenon::test {
using namespace nn;

struct by_steps : backend::cuda {};
constexpr loop_limits limits_of_loops(by_steps, int) { return {}; }

// Has no value at zero, which is the padding past a sequence's end.
struct logarithmic_cell : equations::symbols {
  static constexpr auto step(auto x, auto h) { return next(log(abs(x + U<>(h)))); }
};

template <class Layer, int Features, int Steps>
using over_time = graph<"over time", input<"x", features<Features>, steps<Steps>>, node<"y", Layer, "x">,
                        output<"y">, output<"y.h_n">>;

template <class Layer>
constexpr bool goes_back_whole() {
  using plan = typename differentiation<over_time<Layer, 5, 7>, void, batch<4>, on<backend::cuda>>::plan;
  return plan::template program_of<0>::takes_row_loop;
}

// Some rows of the batch are not given.
template <concepts::Graph G, int Rows>
void check_whole_loops() {
  constexpr int bound = network_of<G>.axes[0].bound;
  std::vector<int> mixed, full;
  for (int r = 0; r < Rows - Rows / 4; ++r) {
    mixed.push_back((bound - 1 + 3 * r) % (bound + 1));
    full.push_back(bound);
  }
  trial<oracle, G, Rows> exact(9);
  trial<machine<by_steps, float>, G, Rows> stepped(9);
  trial<machine<backend::cuda, float>, G, Rows> whole(9);
  for (const auto& lengths : {full, std::vector<int>(full.size(), 0), mixed}) {
    const sample<G> s(lengths, 1);
    const findings got = whole(s);
    check_near(stepped(s), got, 1e-5, 1e-4);
    check_same(got, whole(s));
    check_near(exact(s), got, 1e-5, 1e-4);
  }
}

TEST_CASE("an LSTM of two layers in both directions") {
  check_whole_loops<over_time<lstm<7, bidirectional, layers<2>>, 3, 5>, 7>();
}
TEST_CASE("more steps than one block of them has") { check_whole_loops<over_time<lstm<5>, 3, 17>, 33>(); }
TEST_CASE("units that blocks share") { check_whole_loops<over_time<gru<256>, 2, 2>, 3>(); }
TEST_CASE("which loops go back in one kernel") {
  static_assert(goes_back_whole<lstm<7>>() && goes_back_whole<gru<9>>() && goes_back_whole<rnn<9>>());
  static_assert(goes_back_whole<recurrent<cells::gru_cho, hidden<8>>>(),
                "two products, and maps between them");
  static_assert(goes_back_whole<lstm<128>>() && !goes_back_whole<lstm<129>>());
}
TEST_CASE("a product between maps") { check_whole_loops<over_time<gru<6>, 3, 5>, 7>(); }
TEST_CASE("two products") { check_whole_loops<over_time<recurrent<cells::gru_cho, hidden<6>>, 3, 5>, 7>(); }
TEST_CASE("one row") { check_whole_loops<over_time<gru<9, bidirectional>, 1, 4>, 1>(); }
TEST_CASE("cells of one's own") {
  check_whole_loops<over_time<recurrent<crossed_cell, hidden<5>, bidirectional>, 2, 4>, 7>();
  check_whole_loops<over_time<recurrent<logarithmic_cell, hidden<3>>, 3, 4>, 7>();
}

}  // namespace tenon::test
