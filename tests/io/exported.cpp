// The other direction: Tenon saves its parameters, and PyTorch loads them strictly and computes the same. tests/golden/exported.py has the
// model; tests/golden/exported.txt is the state dict that PyTorch read, and its logits.
#include "support/compare.hpp"
#include "support/temporary_file.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/io/parameters.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

namespace tenon::test {
using namespace nn;

using exported =
    graph<"exported", input<"tokens", token<11>, steps<6>>,                                 //
          node<"embedded", embedding<11, 8, padding_idx<0>>, "tokens">,                     //
          node<"encoded", transformer_encoder<8, 2, 16>, "embedded">,                       //
          node<"mixed", multi_head<8, 2>, "encoded">, node<"normed", layer_norm, "mixed">,  //
          node<"windows", conv1d<6, 3>, "normed">,
          node<"states", lstm<5, layers<2>, bidirectional, proj_size<3>>, "windows">,
          node<"second", gru<4, layers<2>, bidirectional>, "states">,
          node<"third", recurrent<cells::rnn_relu, hidden<4>>, "second">,
          node<"logits", chain<linear<5>, activation::tanh, linear<3>>, "third.final">, output<"logits">>;

TEST_CASE("PyTorch reads every name and number that is saved, and computes what Tenon does") {
  const golden::file theirs = golden::read("exported");
  const parameters<exported> theta(seed{11});
  const char* const asked = std::getenv("TENON_EXPORT_TO");  // for exported.py
  const file_with temporary("");
  const std::string path = asked != nullptr ? asked : temporary.path;
  save(theta, path);

  const io::safetensors_file file(path);
  std::size_t tensors = 0;
  for (const std::string& name : theirs.names()) {
    if (!name.starts_with("state.")) continue;
    INFO(name);
    ++tensors;
    const io::named_tensor* const ours = file.find(name.substr(6));
    REQUIRE(ours != nullptr);
    const std::vector<int>& shape = theirs[name].shape;
    CHECK(std::equal(ours->shape.begin(), ours->shape.end(), shape.begin(), shape.end()));
    std::vector<float> numbers(ours->size());
    read_numbers(*ours, 0, numbers.size(), numbers.data());
    for (std::size_t k = 0; k < numbers.size(); ++k)
      CHECK(std::abs(numbers[k] - theirs[name].values[k]) <= 1e-6f);
  }
  CHECK(tensors == file.tensors().size());

  const std::vector<int> tokens = as_ints(theirs["tokens"]);
  inference<exported> session;
  for (std::size_t row = 0; row < 3; ++row) {
    const auto at = tokens.begin() + std::ptrdiff_t(6 * row);
    const auto logits = session(theta, std::vector<std::vector<int>>{{at, at + 6}});
    for (std::size_t k = 0; k < 3; ++k)
      CHECK(std::abs(logits(0, k) - theirs["logits"].values[3 * row + k]) <= 2e-6f);
  }
}

}  // namespace tenon::test
