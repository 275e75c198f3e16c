// Recurrent layers: parameters in PyTorch's names and shapes, shapes of outputs and final states.
#include "support/network.hpp"
#include <tenon/nn/recurrent.hpp>

#include <doctest/doctest.h>

using namespace tenon;
using namespace tenon::nn;
using namespace tenon::test;

namespace {

template <class Layer, text... Outputs>
using over = graph<"over", input<"x", features<5>, steps<6>>, node<"states", Layer, "x">, output<"states">,
                   output<Outputs>...>;

constexpr const auto& two =
    network_of<over<lstm<3, bidirectional, layers<2>>, "states.h_n", "states.c_n", "states.final">>;
static_assert(two.parameters.size == 16);
static_assert(has_parameter(two, "states.weight_ih_l0", 12, 5) &&
              has_parameter(two, "states.weight_hh_l0", 12, 3));
static_assert(has_parameter(two, "states.bias_ih_l0", 12, 0) &&
              has_parameter(two, "states.bias_hh_l0", 12, 0));
static_assert(has_parameter(two, "states.weight_ih_l0_reverse", 12, 5) &&
              has_parameter(two, "states.weight_ih_l1", 12, 6));
static_assert(has_parameter(two, "states.weight_hh_l1_reverse", 12, 3) &&
              has_parameter(two, "states.bias_hh_l1_reverse", 12, 0));
static_assert(has_edge(two, two.outputs[0], 6, 6), "[time, batch, directions * hidden]");
static_assert(has_edge(two, two.outputs[1], 3, -1, 4) && has_edge(two, two.outputs[2], 3, -1, 4),
              "[layers * directions, batch, hidden]");
static_assert(has_edge(two, two.outputs[3], 6, -1), "the last layer's final states side by side");
static_assert(count(two, operation_kind::scan) == 4 && two.programs.size == 3,
              "one for each layer's input width, one for final");
static_assert(is_in_order(two));

constexpr bool reads_both_ways() {
  int reversed = 0;
  for (const operation& o : two.operations) reversed += o.kind == operation_kind::scan && o.reversed ? 1 : 0;
  return reversed == 2;
}
static_assert(reads_both_ways());

constexpr const auto& torch_gru = network_of<over<gru<4>, "states.h_n">>;
static_assert(has_parameter(torch_gru, "states.weight_ih_l0", 12, 5) &&
              has_parameter(torch_gru, "states.bias_hh_l0", 12, 0));
static_assert(torch_gru.parameters.size == 4 && has_edge(torch_gru, torch_gru.outputs[1], 4, -1));
constexpr const auto& bare = network_of<over<gru<4, no_bias>>>;
static_assert(bare.parameters.size == 2 && parameter_count(bare) == 12 * 5 + 12 * 4);
constexpr const auto& simple = network_of<over<rnn<4>>>;
static_assert(has_parameter(simple, "states.weight_hh_l0", 4, 4) &&
              parameter_count(simple) == 4 * 5 + 4 * 4 + 8);
constexpr const auto& cho = network_of<over<recurrent<cells::gru_cho, hidden<4>>>>;
static_assert(has_parameter(cho, "states.W_z_l0", 4, 5) && has_parameter(cho, "states.U_n_l0", 4, 4) &&
              has_parameter(cho, "states.b_r_l0", 4, 0));

// Dropout is between layers, not after the last.
static_assert(count(network_of<over<gru<4, layers<3>, dropout<0.2>>>>, operation_kind::dropout) == 2);
static_assert(!fits<over<gru<4, dropout<0.2>>>>);

// Initial states: one layer for each layer and direction.
using started = graph<"started", input<"x", features<5>, steps<6>>, input<"h", layers<4>, features<3>>,
                      input<"c", layers<4>, features<3>>,
                      node<"states", lstm<3, bidirectional, layers<2>>, "x", "h", "c">, output<"states">>;
static_assert(check<started>());
constexpr bool starts_where_it_should() {
  const auto& net = network_of<started>;
  int run = 0;
  for (const operation& o : net.operations)
    if (o.kind == operation_kind::scan) {
      if (net.owner(o.in[1]) != net.inputs[1] || net.owner(o.in[2]) != net.inputs[2] ||
          net.edges[o.in[1]].layer != run)
        return false;
      ++run;
    }
  return run == 4;
}
static_assert(starts_where_it_should());

// Layers of one type with inputs of equal size share one program; each other layer has its own.
template <class A, class B, int Width>
constexpr int programs_of =
    network_of<graph<"g", input<"x", features<4>, steps<6>>, input<"y", features<Width>, steps<6>>, node<"a", A, "x">,
                     node<"b", B, "y">, output<"a">, output<"b">>>.programs.size;
static_assert(programs_of<lstm<4>, lstm<4>, 4> == 1);
static_assert(programs_of<lstm<4>, lstm<4>, 5> == 2);
static_assert(programs_of<lstm<4>, lstm<4, no_bias>, 4> == 2);
static_assert(programs_of<lstm<4>, gru<4>, 4> == 2);
static_assert(programs_of<gru<4, layers<3>>, gru<4>, 4> == 1);
static_assert(programs_of<lstm<3, layers<3>>, lstm<3, layers<3>>, 4> == 2);

}  // namespace

TEST_CASE("recurrent layers are laid out at compile time") { CHECK(two.parameters.size == 16); }
