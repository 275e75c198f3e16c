// check_onnx<G>(): the file of a graph is computed by an interpreter of ONNX in double, and its outputs are those of the reference, for rows of
// different lengths. Returns the interpreter, which counts the file's nodes.
#pragma once

#include "support/check_network.hpp"
#include "support/onnx_interpreter.hpp"
#include "support/temporary_file.hpp"
#include "tenon/io/onnx.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

#include <array>

namespace tenon::test {
using namespace nn;

template <concepts::Graph G, class T>
parameters<G, T> drawn() {
  parameters<G, T> theta(zeros{});
  random_numbers random(9);
  for (int k = 0; k < theta.block_size; ++k) theta.data()[k] = static_cast<T>(0.4 * random());
  return theta;
}
template <class G, class T>
std::string saved(const parameters<G, T>& theta, io::onnx_options options = {}) {
  const temporary_folder folder;
  io::save_onnx(theta, folder.path + "/model.onnx", options);
  return tenon::detail::read_file(folder.path + "/model.onnx");
}

/// The inputs of a sample, by name, as the file wants them.
template <concepts::Graph G>
std::map<std::string, onnx::array> file_inputs(const sample<G>& s) {
  static constexpr const auto& net = network_of<G>;
  std::map<std::string, onnx::array> all;
  for (int i = 0; i < net.inputs.size; ++i) {
    const edge& e = net.edges[net.inputs[i]];
    const auto at = static_cast<std::size_t>(i);
    const std::string name(e.path.view());
    onnx::array x;
    if (e.layers > 1) x.shape.push_back(e.layers);
    x.shape.push_back(s.rows);
    if (e.is_grid()) x.shape.insert(x.shape.end(), {e.grid.height, e.grid.width});
    else if (e.axis >= 0) x.shape.push_back(net.axes[e.axis].bound);
    if (!e.is_token()) x.shape.push_back(e.size);
    if (e.is_token()) x.data.assign(s.tokens[at].begin(), s.tokens[at].end());
    else x.data = s.numbers[at];
    x.is_whole = e.is_token();
    all[name] = x;
    if (e.axis >= 0 && !e.is_grid())
      all[name + ".lengths"] = {{s.rows}, {s.lengths[e.axis].begin(), s.lengths[e.axis].end()}, true};
  }
  return all;
}

template <concepts::Graph G, int rows = 5>
onnx::interpreter check_onnx(int opset = 18) {
  constexpr int T = network_of<G>.axes.size > 0 ? network_of<G>.axes[0].bound : 1;
  const parameters<G, double> theta = drawn<G, double>();
  onnx::interpreter file(saved(theta, {.opset = opset}));
  inference<G, batch<rows>, on<backend::reference>, scalar_type<double>> run;
  constexpr std::array different{T - 1, 0, T, 1, 2};
  for (const std::vector<int>& lengths :
       {std::vector<int>(different.begin(), different.begin() + rows), std::vector<int>(rows, T)}) {
    const sample<G> s(lengths, 3);
    s.feed(run);
    run.run(theta);
    std::map<std::string, onnx::array> inputs = file_inputs(s);
    std::erase_if(inputs, [&](const auto& i) {  // an axis has one input of lengths
      const std::vector<std::string> names = file.inputs();
      return std::find(names.begin(), names.end(), i.first) == names.end();
    });
    CHECK(inputs.size() == file.inputs().size());
    const std::map<std::string, onnx::array> got = file.run(inputs);
    each_output<G>([&]<int O>() {
      const std::string name(network_of<G>.output_names[O].view());
      INFO(name);
      const view<const double> y = get<output_name<G, O>>(run);
      const onnx::array& mine = got.at(name);
      REQUIRE(mine.shape.size() == y.dimension());
      for (std::size_t a = 0; a < y.dimension(); ++a) REQUIRE(mine.shape[a] == static_cast<long>(y.shape(a)));
      double error = 0;
      onnx::each_place(mine.shape, [&](const std::vector<long>& index, long k) {
        std::ptrdiff_t at[4]{};
        std::copy(index.begin(), index.end(), at);
        const double expected = index.size() == 2   ? y(at[0], at[1])
                                : index.size() == 3 ? y(at[0], at[1], at[2])
                                                    : y(at[0], at[1], at[2], at[3]);
        const double e = std::abs(mine.at(k) - expected);
        error = std::isnan(e) ? 1 : std::max(error, e);
      });
      CHECK(error <= 1e-12);
    });
  }
  return file;
}

template <class Layer, int D = 13, int T = 7>
using of_steps = graph<"of_steps", input<"x", features<D>, steps<T>>, node<"y", Layer, "x">, output<"y">>;

}  // namespace tenon::test
