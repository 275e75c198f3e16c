// Graphs as ONNX files: an interpreter of ONNX computes the numbers of the reference in double, for rows of different lengths; names, axes,
// types and versions are as the page says; parameters are there bit by bit.
// timeout: 300
#include "support/check_onnx.hpp"
#include "support/systems.hpp"

#include <doctest/doctest.h>

#include <filesystem>

namespace tenon::test {

TEST_CASE("the index lookup: tables, both directions, dropout that is left out, attention") {
  const onnx::interpreter file = check_onnx<index_lookup>();
  CHECK(file.inputs() == std::vector<std::string>{"tokens", "index", "tokens.lengths"});
  CHECK(file.outputs() == std::vector<std::string>{"logits"});
  CHECK(file.nodes_of("LSTM") == 2);
  CHECK(file.nodes_of("Gather") == 2);
  CHECK(file.nodes_of("Scan") == 0);
  CHECK(file.nodes_of("Dropout") == 0);
}
TEST_CASE("recurrences of the catalogue are ONNX's: states in and out, in layers and both directions") {
  using stacked = graph<"stacked", input<"x", features<5>, steps<7>>, input<"h0", layers<4>, features<3>>,
                        node<"h", gru<3, bidirectional, layers<2>>, "x", "h0">, output<"h">, output<"h.h_n">,
                        output<"h.final">>;
  CHECK(check_onnx<stacked>().nodes_of("GRU") == 2);
  using started = graph<"started", input<"x", features<5>, steps<7>>, input<"h0", layers<1>, features<3>>,
                        input<"c0", layers<1>, features<3>>, node<"h", lstm<3>, "x", "h0", "c0">, output<"h">,
                        output<"h.c_n">>;
  CHECK(check_onnx<started>().nodes_of("LSTM") == 1);
  CHECK(check_onnx<of_steps<lstm<11, no_bias>>>().nodes_of("LSTM") == 1);
  CHECK(check_onnx<of_steps<gru<11, no_bias>>>().nodes_of("GRU") == 1);
  CHECK(check_onnx<of_steps<rnn<11, bidirectional>>>().nodes_of("RNN") == 1);
  CHECK(check_onnx<of_steps<recurrent<cells::rnn_relu, hidden<11>>>>().nodes_of("RNN") == 1);
  CHECK(check_onnx<of_steps<recurrent<cells::rnn_sigmoid, hidden<11>>>>().nodes_of("RNN") == 1);
}
TEST_CASE("other cells are Scans") {
  using projected = graph<"projected", input<"x", features<5>, steps<7>>,
                          node<"h", lstm<11, proj_size<3>>, "x">, output<"h">, output<"h.c_n">>;
  CHECK(check_onnx<projected>().nodes_of("Scan") == 1);
  CHECK(check_onnx<of_steps<recurrent<cells::gru_cho, hidden<11>, bidirectional>>>().nodes_of("Scan") == 2);
}
TEST_CASE("blocks of a transformer") {
  const onnx::interpreter block = check_onnx<of_steps<transformer_encoder<20, 2, 31>, 20, 11>>();
  CHECK(block.nodes_of("LayerNormalization") == 2);
  CHECK(block.nodes_of("Softmax") == 1);
  check_onnx<of_steps<transformer_encoder<20, 2, 31, is_causal, norm_first>, 20, 5>>(17);
}
TEST_CASE("windows along steps and over grids, pools, norms") {
  const onnx::interpreter norms =
      check_onnx<of_steps<chain<conv1d<11, 3, same_padding>, activation::gelu, layer_norm>>>();
  CHECK(norms.nodes_of("Conv") == 1);
  CHECK(norms.nodes_of("LayerNormalization") == 1);
  CHECK(norms.nodes_of("Gelu") == 0);
  CHECK(check_onnx<of_steps<activation::gelu>>(20).nodes_of("Gelu") == 1);
  CHECK(check_onnx<of_steps<activation::log_softmax>>().nodes_of("LogSoftmax") == 1);
  CHECK(check_onnx<of_steps<chain<conv1d<11, 3>, max_over<>>>>(23).nodes_of("Conv") == 1);
  CHECK(check_onnx<of_steps<conv1d<11, 3, is_causal, dilation<2>, no_bias>>>().nodes_of("Conv") == 1);
  CHECK(check_onnx<of_steps<max_pool1d<3, stride<2>, padding<1>>>>().nodes_of("MaxPool") == 1);
  CHECK(check_onnx<of_steps<avg_pool1d<2>>>().nodes_of("AveragePool") == 1);
  CHECK(check_onnx<of_steps<unfold<3>>>().nodes_of("Slice") == 3);
  using image = graph<"image", input<"x", features<3>, grid<7, 5>>, node<"c", conv2d<4, 3, 3>, "x">,
                      node<"y", max_pool2d<2, 2>, "c">, output<"c">, output<"y">>;
  const onnx::interpreter pictures = check_onnx<image>();
  CHECK(pictures.nodes_of("Conv") == 1);
  CHECK(pictures.nodes_of("MaxPool") == 1);
  using means = graph<"means", input<"x", features<3>, grid<7, 5>>,
                      node<"c", conv2d<4, 3, 5, stride<2, 1>, padding<1, 0>>, "x">,
                      node<"y", avg_pool2d<2, 1, padding<1, 0>>, "c">, output<"y">>;
  CHECK(check_onnx<means>().nodes_of("AveragePool") == 1);
  using along_places = graph<"along_places", input<"x", features<3>, grid<2, 3>>, node<"h", gru<5>, "x">,
                             node<"y", attention_over<4>, "h">, output<"h.final">, output<"y">>;
  check_onnx<along_places>();
}
TEST_CASE("a vector goes through Gemm, and what nothing reads is not there") {
  using classifier =
      graph<"classifier", input<"x", features<13>>, node<"h", chain<linear<11>, activation::tanh>, "x">,
            node<"y", chain<linear<3>, activation::softmax>, "h">, output<"y">>;
  const onnx::interpreter file = check_onnx<classifier>();
  CHECK(file.nodes_of("Gemm") == 2);
  CHECK(file.nodes_of("Tanh") == 1);
  CHECK(file.nodes_of("Softmax") == 1);
  CHECK(file.nodes() == 5);  // the last names the output
}

/// How many numbers of the parameter equal those of the constant from a place on.
template <class P>
long equal_from(const onnx::array& constant, long first, const P& parameter, long row, long rows) {
  const long width = static_cast<long>(parameter.dimension() > 1 ? parameter.shape(1) : 1);
  long same = 0;
  for (long k = 0; k < rows * width; ++k)
    same += constant.at(first * width + k) == static_cast<double>(parameter.data()[row * width + k]);
  return same;
}

TEST_CASE("parameters are in the file bit by bit, under their names, in float and in double") {
  using tables = graph<"tables", input<"x", token<17>, steps<7>>, node<"table", embedding<17, 5>, "x">,
                       node<"norm", layer_norm, "table">, node<"pooled", mean_over<>, "norm">,
                       node<"y", linear<3>, "pooled">, output<"y">>;
  const auto check = []<class T>(T) {
    const parameters<tables, T> theta = drawn<tables, T>();
    const onnx::interpreter file(saved(theta));
    int found = 0;
    theta.for_each([&](std::string_view path, auto v) {
      const onnx::array& mine = file.constants().at(std::string(path));
      REQUIRE(mine.data.size() == v.size());
      for (std::size_t k = 0; k < v.size(); ++k) found += mine.data[k] == static_cast<double>(v.data()[k]);
    });
    CHECK(found == parameters<tables, T>::count());
  };
  check(float());
  check(double());
}
TEST_CASE("recurrent parameters are in ONNX's order of gates, bit by bit") {
  using network = of_steps<lstm<3, bidirectional>, 5>;
  const parameters<network> theta = drawn<network, float>();
  const onnx::interpreter file(saved(theta));
  const onnx::array &W = file.constants().at("y.l0.W"), &B = file.constants().at("y.l0.B");
  CHECK(W.shape == std::vector<long>{2, 12, 5});
  CHECK(B.shape == std::vector<long>{2, 24});
  long same = 0;
  const long rows[]{0, 9, 3, 6};  // i o f g of i f g o
  for (long gate = 0; gate < 4; ++gate) {
    same += equal_from(W, 3 * gate, get<"y.weight_ih_l0">(theta), rows[gate], 3);
    same += equal_from(W, 12 + 3 * gate, get<"y.weight_ih_l0_reverse">(theta), rows[gate], 3);
    same += equal_from(B, 3 * gate, get<"y.bias_ih_l0">(theta), rows[gate], 3);
    same += equal_from(B, 36 + 3 * gate, get<"y.bias_hh_l0_reverse">(theta), rows[gate], 3);
  }
  CHECK(same == 2 * 12 * 5 + 2 * 12);
}
TEST_CASE("large constants in a second file") {
  const temporary_folder folder;
  using network = graph<"network", input<"x", features<13>>, node<"y", linear<31>, "x">, output<"y">>;
  const parameters<network> theta = drawn<network, float>();
  io::save_onnx(theta, folder.path + "/a.onnx", {.most_bytes = 1000});
  const std::string model = tenon::detail::read_file(folder.path + "/a.onnx"),
                    data = tenon::detail::read_file(folder.path + "/a.onnx.data");
  CHECK(model.size() < 1000);
  const auto weight = get<"y.weight">(theta);
  CHECK(data == std::string(reinterpret_cast<const char*>(weight.data()), 31 * 13 * sizeof(float)));
  CHECK(model.find("a.onnx.data") != std::string::npos);
  io::save_onnx(theta, folder.path + "/b.onnx", {.most_bytes = 1'736});  // as many as there are
  CHECK(!std::filesystem::exists(folder.path + "/b.onnx.data"));
}
TEST_CASE("versions") {
  const parameters<surnames> theta(zeros{});
  for (const auto& [opset, ir] : std::map<int, long>{{17, 8}, {18, 8}, {19, 9}, {21, 10}, {23, 11}}) {
    const std::string bytes = saved(theta, {.opset = opset});
    const onnx::message file(bytes);
    CHECK(file.whole(1) == std::vector<long>{ir});
    CHECK(file.messages(8).at(0).whole(2) == std::vector<long>{opset});
    CHECK(file.text(2) == "Tenon");
  }
}
TEST_CASE("bad input") {
  const parameters<surnames> theta(zeros{});
  CHECK_THROWS_WITH_AS(io::save_onnx(theta, "/tmp/x.onnx", {.opset = 16}),
                       "save_onnx: expected an opset of 17 to 23, got 16", input_error);
  CHECK_THROWS_WITH_AS(io::save_onnx(theta, "/tmp/x.onnx", {.opset = 24}),
                       "save_onnx: expected an opset of 17 to 23, got 24", input_error);
  CHECK_THROWS_AS(io::save_onnx(theta, "/nowhere/x.onnx"), data_error);
  using shown = graph<"shown", input<"x", features<3>>, node<"y", linear<2>, "x">, output<"x">, output<"y">>;
  CHECK_THROWS_WITH_AS(
      io::save_onnx(parameters<shown>(zeros{}), "/tmp/x.onnx"),
      "save_onnx: 'x' is an input and an output, and ONNX wants two names; give the output a node of its own",
      input_error);
  CHECK_THROWS_WITH_AS(
      io::save_onnx(theta, "/tmp/x.onnx", {.most_bytes = 1'900'000'001}),
      "save_onnx: expected a limit of at most 1900000000 bytes, got 1900000001: an ONNX file holds 2 GB",
      input_error);
}

}  // namespace tenon::test
