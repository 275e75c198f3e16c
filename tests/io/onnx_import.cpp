// What from_onnx makes of a file: the graph as text, the parameters by name; files of Tenon's own come back as the graphs that they were, bit by
// bit; what is malformed or not understood is one sentence, and nothing is written or changed.
// timeout: 300
#include "tenon/io/onnx_import.hpp"

#include "io/fuzz/mutator.hpp"
#include "io/fuzz/onnx.hpp"
#include "support/onnx_writer.hpp"
#include "support/temporary_file.hpp"
#include "tenon/io/onnx.hpp"
#include "tenon/tenon.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace tenon::test {
using namespace nn;

const std::string folder = TENON_GOLDEN_DIR "/onnx/";

TEST_CASE("the headers of the files of PyTorch's and Keras' exporters, and of ONNX's own tests") {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".onnx") continue;
    const std::string name = entry.path().stem().string();
    INFO(name);
    const tenon::detail::onnx_network network =
        tenon::detail::import_onnx(tenon::detail::read_onnx(entry.path().string()), 11, name);
    CHECK(network.header() == tenon::detail::read_file(folder + name + ".hpp"));
    ++files;
  }
  CHECK(files == 49);
}

/// The graph as text, as Tenon's own file says it, without the header around it.
template <concepts::Graph G, class T>
std::string round_trip(const parameters<G, T>& theta, int opset = 18) {
  const temporary_folder there;
  const std::string path = there.path + "/model.onnx";
  io::save_onnx(theta, path, {.opset = opset});
  parameters<G, T> back(zeros{});
  io::load_onnx(back, path);
  long same = 0;
  for (int k = 0; k < theta.block_size; ++k) same += theta.data()[k] == back.data()[k];
  CHECK(same == theta.block_size);
  io::import_onnx(path, there.path + "/model.hpp", {}, {.name = "again", .most_steps = 7});
  const std::string text = tenon::detail::read_file(there.path + "/model.hpp");
  const std::size_t first = text.find("using again = ");
  return text.substr(first, text.find(";\n", first) - first);
}
template <concepts::Graph G, class T = float>
std::string round_trip(int opset = 18) {
  return round_trip(parameters<G, T>(seed{5}), opset);
}

TEST_CASE("Tenon's own files are the graphs that they were") {
  using tagger =
      graph<"tagger", input<"words", token<23>, steps<7>>, node<"table", embedding<23, 5>, "words">,
            node<"states", lstm<3, bidirectional>, "table">, node<"tags", linear<2>, "states">,
            output<"tags">>;
  CHECK(round_trip<tagger>() ==
        "using again = graph<\"again\",\n    input<\"words\", token<words_values>, steps<most_steps>>,\n    "
        "node<\"table\", "
        "embedding<words_values, 5>, \"words\">,\n    node<\"states\", lstm<3, bidirectional>, \"table\">,\n "
        "   node<\"tags\", "
        "linear<2>, \"states\">,\n    output<\"tags\">>");
  CHECK(round_trip<tagger, double>(23) == round_trip<tagger>());
  using image = graph<"image", input<"x", features<3>, grid<7, 5>>, node<"c", conv2d<4, 3, 2, no_bias>, "x">,
                      node<"p", max_pool2d<2, 2>, "c">, node<"m", mean_over<>, "p">,
                      node<"y", linear<2>, "m">, output<"y">>;
  CHECK(round_trip<image>().find("node<\"c\", conv2d<4, 3, 2, no_bias>, \"x\">") != std::string::npos);
  using gated = graph<"gated", input<"x", features<5>, steps<7>>, node<"h", gru<3>, "x">,
                      node<"n", layer_norm, "h">, node<"y", activation::tanh, "n">, output<"y">>;
  CHECK(round_trip<gated>().find("node<\"h\", gru<3>, \"x\">,\n    node<\"n\", layer_norm, \"h\">,\n    "
                                 "node<\"y\", activation::tanh, \"n\">") != std::string::npos);
}

TEST_CASE("attention and states of Tenon's own files") {
  using attending = graph<"attending", input<"x", features<6>, steps<7>>, node<"a", multi_head<6, 2>, "x">,
                          node<"s", add, "x", "a">, node<"n", layer_norm, "s">, output<"n">>;
  CHECK(round_trip<attending>().find("node<\"a\", multi_head<6, 2>, \"x\">") != std::string::npos);
  using started = graph<"started", input<"x", features<5>, steps<7>>, input<"h0", features<3>>,
                        node<"h", gru<3>, "x", "h0">, output<"h">, output<"h.h_n">>;
  CHECK(round_trip<started>() ==
        "using again = graph<\"again\",\n    input<\"x\", features<5>, steps<most_steps>>,\n    "
        "input<\"h0\", features<3>>,\n    "
        "node<\"h\", gru<3>, \"x\", \"h0\">,\n    output<\"h\">,\n    output<\"h.final\">>");
}

// --- errors -------------------------------------------------------------------------------------------------

std::string problem_of(const std::string& bytes) {
  try {
    tenon::detail::import_onnx(tenon::detail::parse_onnx("model.onnx", bytes), 7, "model");
    return "none";
  } catch (const data_error& e) { return e.what(); }
}

TEST_CASE("what is not understood is one sentence with the node") {
  onnx_file f;
  f.input("x", {-1, 5});
  f.output("y");
  CHECK(problem_of(onnx_file(f).node("Det", {"x"}, {"y"}).bytes()) ==
        "model.onnx: Det 'y': this operator is not understood");
  CHECK(problem_of(onnx_file(f).node("Tanh", {"z"}, {"y"}).bytes()) ==
        "model.onnx: Tanh 'y' reads 'z', which no node before it makes");
  CHECK(problem_of(onnx_file(f).bytes()) == "model.onnx: no node makes the output 'y'");
  CHECK(problem_of(onnx_file(f).node("Tanh", {"x"}, {"y"}).node("Tanh", {"x"}, {"y"}).bytes()) ==
        "model.onnx: two values are named 'y'");
  CHECK(problem_of(onnx_file(f).constant("W", {4, 3}, 12).node("MatMul", {"x", "W"}, {"y"}).bytes()) ==
        "model.onnx: MatMul 'y': multiplies the last dimension of [batch, features] by a matrix for 4 "
        "features");
  CHECK(problem_of(onnx_file(f).constant("W", {5, 3}, 14).node("MatMul", {"x", "W"}, {"y"}).bytes()) ==
        "model.onnx: tensor 'W': expected 15 numbers of 4 bytes, got 56 bytes");
  CHECK(problem_of(onnx_file(f).constant("W", {5, -3}, 15).node("MatMul", {"x", "W"}, {"y"}).bytes()) ==
        "model.onnx: tensor 'W' has a dimension of -3");
  CHECK(problem_of(onnx_file(f).node("Tanh", {"x"}, {"y"}, "com.example").bytes()) ==
        "model.onnx: Tanh 'y' is of the domain 'com.example'; only ONNX's own operators are read");
  CHECK(problem_of(onnx_file(f).opset(12).node("Tanh", {"x"}, {"y"}).bytes()) ==
        "model.onnx: expected an opset of 13 to 24, got 12");
  CHECK(problem_of(onnx_file(f).node("Softmax", {"x"}, {"y"}).bytes()) == "none");
  CHECK(problem_of("") == "model.onnx: no graph; is it an ONNX file?");
  CHECK(problem_of("hello") == "model.onnx: at byte 2: wire type 4 is not of this format");
  CHECK(problem_of("\x3a\x65x") == "model.onnx: at byte 0: a field of 101 bytes, and 1 are left");
}
/// LSTM with lengths, then another node.
onnx_file with_lengths() {
  onnx_file f;
  f.input("x", {-1, -2, 5}).input("n", {-1}, true).output("y");
  f.constant("W", {1, 12, 5}, 60).constant("R", {1, 12, 3}, 36);
  return f.node("Transpose", {"x"}, {"t"}, {}, {1, 0, 2})
      .node("LSTM", {"t", "W", "R", "", "n"}, {"h", "last"});
}
TEST_CASE("what sees behind the end of a row is an error where rows have lengths") {
  CHECK(problem_of(onnx_file(with_lengths()).node("Squeeze", {"h"}, {"y"}).bytes()) == "none");
  CHECK(problem_of(onnx_file(with_lengths()).node("Squeeze", {"last"}, {"y"}).bytes()) == "none");
  const onnx_file states = onnx_file(with_lengths()).node("Squeeze", {"h"}, {"s"});
  CHECK(problem_of(onnx_file(states).node("ReduceMean", {"s"}, {"y"}, {}, {}, {0}).bytes()) ==
        "model.onnx: ReduceMean 'y': sees what is past the end of rows, which have lengths");
  CHECK(problem_of(onnx_file(states)
                       .node("LSTM", {"s", "W2", "R"}, {"u"})
                       .constant("W2", {1, 12, 3}, 36)
                       .node("Squeeze", {"u"}, {"y"})
                       .bytes()) ==
        "model.onnx: LSTM 'u': sees what is past the end of rows, which have lengths");
  CHECK(problem_of(onnx_file(states)
                       .node("LSTM", {"s", "W2", "R", "", "n"}, {"u"})
                       .constant("W2", {1, 12, 3}, 36)
                       .node("Squeeze", {"u"}, {"y"})
                       .bytes()) == "none");
  CHECK(problem_of(onnx_file(states)
                       .input("m", {-1}, true)
                       .node("LSTM", {"s", "W2", "R", "", "m"}, {"u"})
                       .constant("W2", {1, 12, 3}, 36)
                       .node("Squeeze", {"u"}, {"y"})
                       .bytes()) == "model.onnx: LSTM 'u': another input of lengths for the same steps");
}
/// A file of tests/golden, in which a word of as many letters is another.
std::string changed(const std::string& name, const std::string& from, const std::string& to) {
  std::string bytes = tenon::detail::read_file(folder + name + ".onnx");
  for (std::size_t at = bytes.find(from); at != std::string::npos; at = bytes.find(from, at + 1))
    bytes.replace(at, from.size(), to);
  return problem_of(bytes);
}
TEST_CASE("loops, reversed steps, functions of tokens, means of features") {
  CHECK(changed("keras_gru1", "Tanh", "Relu").find("its step is neither that of a GRU nor that of an RNN") !=
        std::string::npos);
  CHECK(changed("keras_gru1", "Tanh", "Erfx").find("of a loop's step: this operator is not understood") !=
        std::string::npos);
  CHECK(changed("keras_rnn1", "Tanh", "Relu") == "none");  // an RNN, too
  // No activation: for some numbers this is relu.
  CHECK(problem_of(tenon::detail::read_file(TENON_SOURCE_DIR "/tests/io/fuzz/corpus/onnx/loop_linear")) ==
        "model.onnx: Loop 'cl': its step is neither that of a GRU nor that of an RNN");
  onnx_file f;
  f.input("x", {-1, -2, 5}).output("y");
  CHECK(problem_of(onnx_file(f).constant("n", {1}, 1).node("ReverseSequence", {"x", "n"}, {"y"}).bytes()) ==
        "model.onnx: ReverseSequence 'y': lengths that are no input");
  CHECK(problem_of(onnx_file(with_lengths())
                       .node("ReverseSequence", {"t", "n"}, {"u"})
                       .node("Transpose", {"u"}, {"y"}, {}, {1, 0, 2})
                       .bytes()) == "none");
  CHECK(problem_of(onnx_file(f).node("ReduceMean", {"x"}, {"y"}, {}, {}, {2}).bytes()) ==
        "model.onnx: ReduceMean 'y': a sum, a mean or a largest of features that is no part of an equation");
  CHECK(problem_of(onnx_file(f)
                       .node("ReduceMean", {"x"}, {"m"}, {}, {}, {2})
                       .node("Sub", {"x", "m"}, {"y"})
                       .bytes()) == "none");
  onnx_file tokens;
  tokens.input("words", {-1, -2}, true).output("y").constant("table", {7, 3}, 21);
  CHECK(problem_of(
            onnx_file(tokens).node("Abs", {"words"}, {"a"}).node("Gather", {"table", "a"}, {"y"}).bytes()) ==
        "none");
  CHECK(problem_of(
            onnx_file(tokens).node("Neg", {"words"}, {"a"}).node("Gather", {"table", "a"}, {"y"}).bytes()) ==
        "model.onnx: Gather 'y': looks up another row than the token's");
}
TEST_CASE("options, and parameters that do not fit") {
  const temporary_folder there;
  CHECK_THROWS_WITH_AS(
      io::import_onnx(folder + "lstm1.onnx", there.path + "/x.hpp", {}, {.name = "two words"}),
      "import_onnx: expected a name of C++ for the graph, got 'two words'", input_error);
  CHECK_THROWS_WITH_AS(io::import_onnx(folder + "lstm1.onnx", there.path + "/x.hpp", {}, {.most_steps = 0}),
                       "import_onnx: expected at least one step, got 0", input_error);
  CHECK(!std::filesystem::exists(there.path + "/x.hpp"));
  CHECK_THROWS_AS(io::import_onnx("/nowhere/x.onnx", there.path + "/x.hpp"), data_error);
  using other = graph<"other", input<"x", features<5>, steps<7>>, node<"rnn", lstm<4>, "x">, output<"rnn">>;
  parameters<other> theta(seed{1});
  const parameters<other> before = theta;
  try {
    io::load_onnx(theta, folder + "lstm1.onnx");
    FAIL("no error");
  } catch (const data_error& e) {
    const std::string said = e.what();
    CHECK(said.find("lstm1.onnx: does not fit the parameters of graph 'other':") != std::string::npos);
    CHECK(said.find("'rnn.weight_ih_l0'") != std::string::npos);
    CHECK(said.find("answer.weight") != std::string::npos);
  }
  for (int k = 0; k < theta.block_size; ++k) REQUIRE(theta.data()[k] == before.data()[k]);
  using renamed = graph<"renamed", input<"x", features<5>, steps<7>>, node<"h", lstm<13>, "x">,
                        node<"y", linear<3>, "h">, output<"y">>;
  parameters<renamed> mine(zeros{});
  io::load_onnx(mine, folder + "lstm1.onnx", {.rename = {{"rnn.*", "h.*"}, {"answer.*", "y.*"}}});
  CHECK(get<"y.bias">(mine)(0) != 0);
}

TEST_CASE("other bytes are read, or are an error that names the file") {
  CHECK(fuzz::run("onnx", fuzz::onnx, 20000) > 100);
}
TEST_CASE("a file that is cut off anywhere") {
  for (const char* const name : {"text_cnn", "encoder_new", "tagger"}) {
    const std::string whole = tenon::detail::read_file(folder + name + ".onnx");
    const auto is_read = [](const std::string& bytes) { return fuzz::onnx(std::as_bytes(std::span(bytes))); };
    CHECK(is_read(whole));
    int read = 0;
    for (std::size_t end = 0; end < whole.size(); end += 13) read += is_read(whole.substr(0, end));
    CHECK(read < 20);  // without its last entries a file may be whole
  }
}

}  // namespace tenon::test
