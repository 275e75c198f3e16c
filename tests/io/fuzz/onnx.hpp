// Laws of the reader of ONNX files for any bytes; see targets.hpp.
#pragma once

#include "io/fuzz/input.hpp"
#include "tenon/io/onnx_import.hpp"

#include <string>

namespace tenon::fuzz {

// A file is understood, as a graph whose parameters have as many numbers as their shapes say, or a data_error names it.
inline bool onnx(bytes file) {
  detail::onnx_network network;
  try {
    network = detail::import_onnx(detail::parse_onnx("file", text_of(file)), 3, "model");
  } catch (const data_error& e) {
    require(std::string(e.what()).find("file") == 0, "an error names the file");
    return false;
  }
  const std::string header = network.header();
  require(header.find("using model = graph<\"model\"") != std::string::npos, "a network is a graph");
  std::size_t numbers = 0;
  for (const detail::onnx_layer_node& n : network.nodes) {
    require(!n.name.empty() && header.find("node<\"" + n.name + "\", ") != std::string::npos,
            "each node is in it");
    for (const auto& [name, array] : n.parameters) numbers += array.numbers.size();
  }
  std::size_t expected = 0;
  for (const io::named_tensor& t : network.tensors()) expected += t.size();
  require(numbers == expected, "parameters have as many numbers as their shapes say");
  return true;
}

}  // namespace tenon::fuzz
