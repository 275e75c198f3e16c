// onnx_samples: inputs and outputs of the files of tests/golden/onnx, and a check that a graph that was made of such a file computes them.
#pragma once

#include "support/sample.hpp"
#include "support/trial.hpp"
#include <tenon/io/onnx.hpp>
#include <tenon/tenon.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace tenon::test {

struct onnx_numbers {
  std::vector<long> shape{};
  std::vector<double> numbers{};
};
/// The lines of a text file: inputs, or outputs, by name.
inline std::map<std::string, onnx_numbers> onnx_lines(const std::string& name, char kind) {
  std::map<std::string, onnx_numbers> all;
  std::istringstream text(tenon::detail::read_file(TENON_GOLDEN_DIR "/onnx/" + name + ".txt"));
  for (std::string line; std::getline(text, line);) {
    std::istringstream words(line);
    char what;
    std::string value;
    int whole, rank;
    words >> what >> value >> whole >> rank;
    onnx_numbers found;
    for (int d = 0; d < rank; ++d) words >> found.shape.emplace_back();
    for (double number; words >> number;) found.numbers.push_back(number);
    if (what == kind) all[value] = found;
  }
  return all;
}

/// The first rows of a file's inputs. A grid has its features last.
template <concepts::Graph G>
sample<G> onnx_sample(const std::string& name, int rows) {
  static constexpr const auto& net = network_of<G>;
  const std::map<std::string, onnx_numbers> given = onnx_lines(name, 'i');
  std::vector<int> lengths(static_cast<std::size_t>(rows), 1'000'000);  // all steps
  if (const auto found = given.find("lengths"); found != given.end())
    for (int r = 0; r < rows; ++r)
      lengths[static_cast<std::size_t>(r)] =
          static_cast<int>(found->second.numbers[static_cast<std::size_t>(r)]);
  sample<G> s(lengths, 1);
  for (int i = 0; i < net.inputs.size; ++i) {
    const edge& e = net.edges[net.inputs[i]];
    const onnx_numbers& x = given.at(std::string(e.path.view()));
    const auto at = static_cast<std::size_t>(i);
    if (e.is_token()) {
      for (std::size_t k = 0; k < s.tokens[at].size(); ++k) s.tokens[at][k] = static_cast<int>(x.numbers[k]);
    } else if (e.is_grid()) {
      const auto places = static_cast<std::size_t>(e.grid.places()), size = static_cast<std::size_t>(e.size);
      for (std::size_t k = 0; k < s.numbers[at].size(); ++k) {
        const std::size_t row = k / (places * size), place = k / size % places, feature = k % size;
        s.numbers[at][k] = x.numbers[(row * size + feature) * places + place];
      }
    } else {
      for (std::size_t k = 0; k < s.numbers[at].size(); ++k) s.numbers[at][k] = x.numbers[k];
    }
  }
  return s;
}

/// In double, with 7 rows and with one, what PyTorch or Keras computes in double of the same weights; in float within the tolerance of float.
template <concepts::Graph G, class T = double>
void check_onnx_network(const std::string& name, double tolerance = 1e-12) {
  static constexpr const auto& net = network_of<G>;
  INFO(name);
  parameters<G, T> theta(zeros{});
  io::load_onnx(theta, TENON_GOLDEN_DIR "/onnx/" + name + ".onnx");
  const std::map<std::string, onnx_numbers> expected = onnx_lines(name, 'o');
  inference<G, batch<7>, on<backend::reference>, scalar_type<T>> run;
  long most = 0;  // rows of the file's inputs; a state has its layers in front
  for (const auto& [input, x] : onnx_lines(name, 'i')) most = std::max(most, x.shape[0]);
  for (const int rows : {static_cast<int>(most), 1}) {
    const sample<G> s = onnx_sample<G>(name, rows);
    s.feed(run);
    run.run(theta);
    long compared = 0;
    double error = 0;
    each_output<G>([&]<int O>() {
      // A graph has the outputs in the file's order, which is that of their names, some under the names of its nodes.
      const edge& e = net.edges[net.outputs[O]];
      const onnx_numbers& wanted = std::next(expected.begin(), O)->second;
      for (int r = 0; r < rows; ++r) {
        const long width = static_cast<long>(wanted.numbers.size()) / most;
        long k = 0;
        const int length =
            e.axis >= 0 ? s.lengths[static_cast<std::size_t>(e.axis)][static_cast<std::size_t>(r)] : 0;
        each_of_row(get<output_name<G, O>>(run), e.layers > 1, r, [&](T y) {
          const double there = wanted.numbers[static_cast<std::size_t>(r * width + k)];
          if (e.axis >= 0 && k / e.size >= length) {  // PyTorch answers past the end, too
            ++k;
            return;
          }
          const double off = std::abs(static_cast<double>(y) - there);
          error = std::isnan(off) ? 1 : std::max(error, off);
          ++k;
          ++compared;
        });
      }
    });
    CHECK(compared > 0);
    CHECK(error <= tolerance);
  }
}

}  // namespace tenon::test
