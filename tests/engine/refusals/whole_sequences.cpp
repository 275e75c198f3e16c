// What a stream cannot run: the node that would need later steps, and why; no error for a node that looks back.
#include "tenon/engine/refusals/whole_sequences.hpp"

#include "tenon/engine/plan/plan.hpp"
#include "tenon/engine/session/options.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

#include <string>

namespace tenon::test {
using namespace nn;

template <class Layer>
using on_steps = graph<"on_steps", input<"x", features<4>, steps<6>>, node<"y", Layer, "x">, output<"y">>;
// A graph of a sequence that is given whole and of steps.
template <class Layer>
using beside_a_sequence = graph<"beside_a_sequence", input<"m", features<4>, steps<5, "source">>,
                                input<"x", features<4>, steps<6, "target">>, node<"memory", Layer, "m">,
                                node<"y", multi_head<4, 2>, "x", "memory">, output<"y">>;

struct from_the_end {
  static constexpr auto at(auto x) { return reversed<"time">(x); }
};
struct sees_from_the_end {
  static constexpr auto at(auto x) {
    const auto others = as_axis<"other">(x);
    const auto is_later = greater(position_of<"other">(others), position_of<"time">(x));
    return sum<"other">(reversed<"other">(select(is_later, 0, x * others)));
  }
};
template <class G>
std::string refusal() {
  using plan = engine::plan_of<G, void, engine::purpose::streaming>;
  return std::string(ir::explain(engine::whole_sequence_needed<plan>::wrong).view());
}

TEST_CASE("what reads later steps is refused by its node's name") {
  CHECK(refusal<on_steps<gru<3, bidirectional>>>() ==
        "node 'y': streaming runs step by step, and a reverse direction starts at the end; run the layer "
        "forward only, or use inference");
  CHECK(
      refusal<on_steps<mean_over<"time">>>() ==
      "node 'y': streaming runs step by step, and a sum over the axis 'time' reads all steps; use inference");
  CHECK(refusal<on_steps<from_the_end>>() ==
        "node 'y': streaming runs step by step, and a reversed over the axis 'time' reads all steps; use "
        "inference");
  CHECK(refusal<on_steps<sees_from_the_end>>().find("a reversed over the axis 'time' reads all steps") !=
        std::string::npos);
  CHECK(refusal<on_steps<conv1d<3, 3, same_padding>>>() ==
        "node 'y': streaming runs step by step, and a window reaches to later steps; write is_causal and no "
        "stride, or use inference");
  CHECK(refusal<on_steps<conv1d<3, 2, stride<2>>>>() ==
        "node 'y': streaming runs step by step, and there is no window for each step; write is_causal and no "
        "stride, or use inference");
  CHECK(refusal<on_steps<multi_head<4, 2>>>() ==
        "node 'y': streaming runs step by step, and a softmax over the axis 'time' reads all steps; hide "
        "later steps (is_causal), or use inference");
}
TEST_CASE("what looks back is not") {
  CHECK(refusal<on_steps<gru<3>>>().empty());
  CHECK(refusal<on_steps<conv1d<3, 3, is_causal>>>().empty());
  CHECK(refusal<on_steps<multi_head<4, 2, is_causal>>>().empty());
}
TEST_CASE("nor what runs over a sequence that is given whole") {
  CHECK(refusal<beside_a_sequence<gru<2, bidirectional>>>().empty());
  CHECK(refusal<beside_a_sequence<conv1d<4, 3, same_padding>>>().empty());
}

}  // namespace tenon::test
