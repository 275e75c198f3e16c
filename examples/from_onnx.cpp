// From ONNX: writes the network of an ONNX file, as PyTorch and others export them, as a C++ header with a graph<..>, and its weights.
//
//   from_onnx model.onnx --to model.hpp                    and the weights to model.safetensors
//   from_onnx model.onnx --to model.hpp --name tagger      the graph's name
//   from_onnx                                              on a small model of its own
//   from_onnx --help                                       what else it does
#include "arguments.hpp"

#include <tenon/io/onnx.hpp>
#include <tenon/tenon.hpp>

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

namespace own {
using namespace tenon;
using namespace tenon::nn;
using tagger = graph<"tagger", input<"words", token<23>, steps<11>>, node<"table", embedding<23, 5>, "words">,
                     node<"states", lstm<7, bidirectional>, "table">, node<"tags", linear<3>, "states">, output<"tags">>;
}  // namespace own

int main(int count, char** words) {
  std::vector<std::string> models;
  std::string header, weights;
  tenon::io::import_options options;
  return command_line::program("from_onnx: the network of an ONNX file as a C++ header", count, words,
                               {{"MODEL", &models, "the ONNX file"},
                                {"--to", &header, "the header that is written"},
                                {"--weights", &weights, "the safetensors file that is written; without it the header's name with this ending"},
                                {"--name", &options.name, "the name of the graph"},
                                {"--steps", &options.most_steps, "the most steps of sequences whose bound the file does not say", 1}},
                               [&] {
                                 std::filesystem::path folder;
                                 if (models.empty()) {
                                   folder = std::filesystem::temp_directory_path() / "tenon_from_onnx";
                                   std::filesystem::create_directories(folder);
                                   models = {(folder / "tagger.onnx").string()};
                                   tenon::io::save_onnx(tenon::parameters<own::tagger>(tenon::seed{1}), models[0]);
                                   header = (folder / "tagger.hpp").string();
                                 }
                                 if (models.size() != 1 || header.empty()) throw std::invalid_argument("expected one ONNX file, and --to HEADER");
                                 if (weights.empty()) weights = std::filesystem::path(header).replace_extension(".safetensors").string();
                                 tenon::io::import_onnx(models[0], header, weights, options);
                                 std::printf("%s and %s are written\n", header.c_str(), weights.c_str());
                                 if (!folder.empty()) std::printf("\n%s", tenon::io::read_text(header).c_str());
                                 return 0;
                               });
}
