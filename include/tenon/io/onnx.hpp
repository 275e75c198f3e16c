// ONNX files (https://onnx.ai). io::save_onnx(theta, "model.onnx") writes a graph with its parameters, for any engine that runs ONNX and
// any viewer that shows it; io::import_onnx writes the graph of such a file as a header, and io::load_onnx fills its parameters. Not part of
// tenon.hpp.
#pragma once

#include "tenon/graph/graph.hpp"
#include "tenon/io/file.hpp"
#include "tenon/io/onnx_export.hpp"
#include "tenon/io/onnx_import.hpp"
#include "tenon/io/parameters.hpp"
#include "tenon/parameters/parameters.hpp"

#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon::inline v0_1::io {

struct onnx_options {
  int opset = 18;  // of ONNX's own operators: 17 to 23
  // If all constants together have more bytes, the large ones are in a second file, <path>.data. A model itself has at most 2 GB.
  std::size_t most_bytes = 1'000'000'000;
};

// Writes the graph for inference. Inputs and outputs have the names of the graph; the axes of batch and steps are symbolic: x [batch, x_steps,
// features], tokens [batch, x_steps], states [layers, batch, features], grids [batch, height, width, features]. Beside the first input of each
// axis of steps stands `<input>.lengths` [batch], the steps of each row. Padding has no influence, and sequences of outputs are 0 behind the
// end of a row. Numbers are of the parameters' type, tokens and lengths int64. LSTM, GRU, RNN, Conv, pools, LayerNormalization, Softmax and
// Gather are ONNX's own, with its order of gates and places; other recurrences are Scans, other equations ONNX's elementwise operators and
// products, with parameters under their own names. Dropout is left out. An old file is replaced as a whole. Throws input_error for an opset
// outside of 17 to 23, for a limit of more than 1,900,000,000 bytes, and if an output is an input, data_error if a file cannot be written.
template <concepts::Graph G, class T>
void save_onnx(const parameters<G, T>& theta, const std::string& path, const onnx_options& options = {}) {
  if (options.opset < 17 || options.opset > 23)
    throw input_error("save_onnx: expected an opset of 17 to 23, got " + std::to_string(options.opset));
  if (options.most_bytes > 1'900'000'000)
    throw input_error("save_onnx: expected a limit of at most 1900000000 bytes, got " +
                      std::to_string(options.most_bytes) + ": an ONNX file holds 2 GB");
  static constexpr const auto& net = network_of<G>;
  std::vector<ir::program_view> programs;
  for (const auto& p : net.programs) programs.push_back(p);
  const auto all = [](const auto& list) {
    using item = std::remove_cvref_t<decltype(*list.begin())>;
    return ir::list_view<item>{list.begin(), list.size};
  };
  detail::onnx_source source{
      .title = std::string(G::title.begin(), G::title.end()),
      .edges = all(net.edges),
      .operations = all(net.operations),
      .parameters = all(net.parameters),
      .axes = all(net.axes),
      .programs = {programs.data(), static_cast<int>(programs.size())},
      .inputs = all(net.inputs),
      .outputs = all(net.outputs),
      .output_names = all(net.output_names),
      .type = std::is_same_v<T, float> ? detail::onnx_type::float32 : detail::onnx_type::float64,
      .numbers = reinterpret_cast<const char*>(theta.data()),
      .bytes_of_number = sizeof(T)};
  const std::string data = path + ".data", beside = data.substr(data.find_last_of('/') + 1);
  const detail::onnx_files files =
      detail::onnx_export(source, options.opset).files(options.most_bytes, beside);
  if (!files.data.empty()) detail::write_file(data, files.data);
  detail::write_file(path, files.model);
}

struct import_options {
  std::string name = "model";  // of the graph, a name of C++
  int most_steps = 128;        // of sequences whose bound the file does not say
};

// Writes the network of an ONNX file as a header with a `graph<..>`, and its weights as a safetensors file; no second file if `weights` is
// empty. Read are tables, recurrences (LSTM, GRU, RNN, with lengths and initial states), products with and without biases, convolutions and
// pools along steps or over grids, norms, attention of several heads in the forms of PyTorch's exporters, softmax over features, reductions
// over all steps, elementwise operators, and what moves values about. What an input's dimensions are (batch, steps, features) follows from what
// reads it. Throws data_error, which names the file, the node and what is not understood, and input_error for options; then nothing is written.
inline void import_onnx(const std::string& model, const std::string& header, const std::string& weights = {},
                        const import_options& options = {}) {
  detail::check_import_options(options.name, options.most_steps);
  const detail::onnx_network network =
      detail::import_onnx(detail::read_onnx(model), options.most_steps, options.name);
  const std::string text = network.header();
  if (!weights.empty()) detail::write_onnx_weights(network, weights);
  detail::write_file(header, text);
}

// Fills every parameter from an ONNX file: its network has the names that import_onnx gives it, which .rename changes as in load. Throws
// data_error for a file that is not understood, and one that lists every parameter that is missing, unexpected or of another shape; the
// parameters are then unchanged.
template <concepts::Graph G, class T>
detail::unmatched_names load_onnx(parameters<G, T>& theta, const std::string& path,
                                  const load_options& options = {}) {
  const auto entries = detail::entries_of<G>();
  const detail::onnx_network network = detail::import_onnx(detail::read_onnx(path), 2, "model");
  const std::vector<named_tensor> tensors = network.tensors();
  const detail::by_name_options by_name{options.rename, options.only, options.allow_missing,
                                        options.allow_unexpected};
  const detail::by_name_matching matching(entries, tensors, by_name);
  if (!matching.problems().empty())
    detail::throw_data_error(path, {"does not fit the parameters of graph '", ir::title_of<G>(),
                                    "':", matching.problems(), matching.remedy()});
  matching.copy_to(theta.data(),
                   [](const named_tensor& tensor, T* to) { std::memcpy(to, tensor.data, tensor.bytes()); });
  return matching.unmatched();
}

}  // namespace tenon::inline v0_1::io
