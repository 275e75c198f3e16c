// labels: slow
#include "tenon/engine/session/summary.hpp"

#include <doctest/doctest.h>

#include <sstream>

#include "support/systems.hpp"

using namespace tenon;
using namespace tenon::nn;
using tenon::test::index_lookup;
using tenon::test::surnames;

// The counts of PyTorch's modules: sum(p.numel() for p in module.parameters()).
static_assert(summary<index_lookup>.parameters == 10 * 128 + 10 * 128 + (128 * 64 + 64) + (64 * 10 + 10) +  //
                                                      2 * (4 * 32 * (128 + 32 + 2)) + 2 * (4 * 32 * (64 + 32 + 2)));
static_assert(summary<surnames>.parameters == 256 * 64 + 3 * 100 * (64 + 100 + 2) + 100 * 18 + 18);
static_assert(summary<surnames>.multiply_adds == 32 * (300 * 64 + 300 * 100) + 1800);

// Forty nodes: twenty products, each added to its input.
using residual_net = graph<"residual_net", input<"x", features<8>>,
    node<"product_0", linear<8>, "x">, node<"sum_0", add, "x", "product_0">,
    node<"product_1", linear<8>, "sum_0">, node<"sum_1", add, "sum_0", "product_1">,
    node<"product_2", linear<8>, "sum_1">, node<"sum_2", add, "sum_1", "product_2">,
    node<"product_3", linear<8>, "sum_2">, node<"sum_3", add, "sum_2", "product_3">,
    node<"product_4", linear<8>, "sum_3">, node<"sum_4", add, "sum_3", "product_4">,
    node<"product_5", linear<8>, "sum_4">, node<"sum_5", add, "sum_4", "product_5">,
    node<"product_6", linear<8>, "sum_5">, node<"sum_6", add, "sum_5", "product_6">,
    node<"product_7", linear<8>, "sum_6">, node<"sum_7", add, "sum_6", "product_7">,
    node<"product_8", linear<8>, "sum_7">, node<"sum_8", add, "sum_7", "product_8">,
    node<"product_9", linear<8>, "sum_8">, node<"sum_9", add, "sum_8", "product_9">,
    node<"product_10", linear<8>, "sum_9">, node<"sum_10", add, "sum_9", "product_10">,
    node<"product_11", linear<8>, "sum_10">, node<"sum_11", add, "sum_10", "product_11">,
    node<"product_12", linear<8>, "sum_11">, node<"sum_12", add, "sum_11", "product_12">,
    node<"product_13", linear<8>, "sum_12">, node<"sum_13", add, "sum_12", "product_13">,
    node<"product_14", linear<8>, "sum_13">, node<"sum_14", add, "sum_13", "product_14">,
    node<"product_15", linear<8>, "sum_14">, node<"sum_15", add, "sum_14", "product_15">,
    node<"product_16", linear<8>, "sum_15">, node<"sum_16", add, "sum_15", "product_16">,
    node<"product_17", linear<8>, "sum_16">, node<"sum_17", add, "sum_16", "product_17">,
    node<"product_18", linear<8>, "sum_17">, node<"sum_18", add, "sum_17", "product_18">,
    node<"product_19", linear<8>, "sum_18">, node<"sum_19", add, "sum_18", "product_19">,
    output<"sum_19">>;
static_assert(summary<residual_net>.nodes.size == 40);
static_assert(summary<residual_net>.parameters == 20 * (8 * 8 + 8));
static_assert(summary<residual_net>.multiply_adds == 20 * 8 * 8);

TEST_CASE("the table names every node, its layer, its shape and the totals") {
  std::ostringstream out;
  io::print_summary<index_lookup>(out);
  const std::string table = out.str();
  CHECK(table.find("embedded  embedding<10, 128>") != std::string::npos);
  CHECK(table.find("[time 10, features 64]") != std::string::npos);
  CHECK(table.find("78026") != std::string::npos);
  CHECK(table.find("workspace of one row: " + std::to_string(inference<index_lookup>::workspace_bytes) + " bytes") != std::string::npos);
  // [128, 128] and [64, 128]; the logits are [10, 64]
  CHECK(table.find("int8_weights pay for products of 8192 weights and more: states, query\n") != std::string::npos);
}
TEST_CASE("where all products are small, weights in 8 bits pay for none") {
  std::ostringstream out;
  io::print_summary<residual_net>(out);
  CHECK(out.str().find("8192 weights and more: there is none\n") != std::string::npos);
}
TEST_CASE("the parts add up to the totals") {
  constexpr auto s = summary<index_lookup>;
  long parameters_sum = 0, work_sum = 0, saved_sum = 0;
  for (const detail::node_summary& n : s.nodes) {
    parameters_sum += n.parameters;
    work_sum += n.multiply_adds;
    saved_sum += n.saved_bytes;
  }
  CHECK(parameters_sum == s.parameters);
  CHECK(work_sum == s.multiply_adds);
  CHECK(saved_sum == s.saved_bytes);
  CHECK(s.saved_bytes < static_cast<long>(s.training_bytes));
}
