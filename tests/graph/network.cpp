// Networks: which edge owns the memory of another, and where a symbol of a stacked parameter is in the block.
#include <tenon/graph/network.hpp>
#include <tenon/nn/recurrent.hpp>

#include <doctest/doctest.h>

using namespace tenon;
using namespace tenon::nn;
using namespace tenon::ir;

namespace {

using model = graph<"model", input<"x", features<5>, steps<6>>, node<"states", lstm<3, bidirectional>, "x">,
                    output<"states">>;
constexpr const auto& net = network_of<model>;

constexpr const operation& scan(bool reversed) {
  for (const operation& o : net.operations)
    if (o.kind == operation_kind::scan && o.reversed == reversed) return o;
  throw "there is no such operation";
}
// W_i, W_f, W_g, W_o are the rows of weight_ih; U_i begins weight_hh; the reverse direction has its own.
static_assert(symbol_offset(net, scan(false), 0) ==
              net.parameters[net.find_parameter("states.weight_ih_l0")].offset);
static_assert(symbol_offset(net, scan(false), 1) == symbol_offset(net, scan(false), 0) + 3 * 5);
static_assert(symbol_offset(net, scan(false), 4) ==
              net.parameters[net.find_parameter("states.weight_hh_l0")].offset);
static_assert(symbol_offset(net, scan(false), 15) ==
              net.parameters[net.find_parameter("states.bias_hh_l0")].offset + 3 * 3);
static_assert(symbol_offset(net, scan(true), 0) ==
              net.parameters[net.find_parameter("states.weight_ih_l0_reverse")].offset);

// The directions write into two halves of one edge, and their final states into two layers of another.
static_assert(net.owner(scan(false).out[0]) == net.outputs[0] &&
              net.owner(scan(true).out[0]) == net.outputs[0]);
static_assert(net.edges[scan(false).out[0]].column == 0 && net.edges[scan(true).out[0]].column == 3);
static_assert(net.owner(scan(false).out[1]) == net.owner(scan(true).out[1]) &&
              net.edges[scan(true).out[1]].layer == 1);
static_assert(net.find_edge("nowhere") == -1 && net.find_parameter("states.weight") == -1);

}  // namespace

TEST_CASE("networks are constants") { CHECK(net.parameters.size == 8); }
