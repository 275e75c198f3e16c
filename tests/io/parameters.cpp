// State dicts that PyTorch wrote, loaded by name: tests/io/generate.py has the models.
#include "tenon/io/parameters.hpp"

#include "support/temporary_file.hpp"
#include "support/worse.hpp"
#include "tenon/engine/session/session.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tenon::test {
using namespace nn;

using model =
    graph<"model", input<"tokens", token<7>, steps<5>>, node<"embedded", embedding<7, 4>, "tokens">,
          node<"states", gru<3, bidirectional>, "embedded">, node<"trigrams", conv1d<5, 3>, "states">,
          node<"pooled", mean_over<>, "trigrams">, node<"logits", linear<2>, "pooled">, output<"logits">>;
using tied =
    graph<"tied", input<"t", token<6>, steps<3>>, node<"embedded", embedding<6, 4>, "t">,
          node<"logits", linear<6>, "embedded">, tied<"embedded.weight", "logits.weight">, output<"logits">>;
using image =
    graph<"image", input<"x", features<3>, grid<4, 6>>, node<"y", conv2d<2, 2, 5>, "x">, output<"y">>;
// The same names as the index lookup's, with other sizes than the file's.
using other =
    graph<"other", input<"tokens", token<7>, steps<5>>, node<"embeddings", embedding<7, 4>, "tokens">,
          node<"states", gru<3, bidirectional>, "embeddings">, node<"logits", linear<3>, "states">,
          output<"logits">>;

const std::string files = TENON_SOURCE_DIR "/tests/io/files/";

template <class G, class T>
bool same_bits(const parameters<G, T>& a, const parameters<G, T>& b) {
  return std::memcmp(a.data(), b.data(), sizeof(T) * parameters<G, T>::block_size) == 0;
}
template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const data_error& error) { return error.what(); }
  return "no error";
}

TEST_CASE("a state dict loads by name and computes PyTorch's logits") {
  parameters<model> theta(seed{3});
  const auto names = load(theta, files + "state_dict.safetensors");
  CHECK(names.missing.empty());
  CHECK(names.unexpected.empty());

  const io::safetensors_file run(files + "run.safetensors");
  CHECK(run.at("tokens").type == io::dtype::int64);
  double tokens[10], logits[4];
  read_numbers(run.at("tokens"), 0, 10, tokens);
  read_numbers(run.at("logits"), 0, 4, logits);
  inference<model> session;
  for (int row = 0; row < 2; ++row) {
    std::vector<std::vector<int>> x(1);
    for (int t = 0; t < 5; ++t) x[0].push_back(static_cast<int>(tokens[row * 5 + t]));
    const auto y = session(theta, x);
    for (int k = 0; k < 2; ++k) CHECK(std::abs(y(0, k) - logits[row * 2 + k]) < 1e-6);
  }
}
TEST_CASE("what is saved is, byte for byte, what PyTorch's users save") {
  parameters<model> theta(seed{3});
  load(theta, files + "state_dict.safetensors");
  const file_with saved("parameters are saved here");
  save(theta, saved.path, {.checksums = false});
  CHECK(detail::read_file(saved.path) == detail::read_file(files + "state_dict.safetensors"));
  save(theta, saved.path);
  std::string damaged = detail::read_file(saved.path);
  CHECK(damaged.find("tenon.crc32") != std::string::npos);
  damaged[damaged.size() - 2] = static_cast<char>(damaged[damaged.size() - 2] ^ 1);
  const file_with wrong(damaged);
  const parameters<model> before = theta;
  CHECK_THROWS_WITH_AS(load(theta, wrong.path), doctest::Contains("is damaged: expected the checksum "),
                       data_error);
  CHECK(std::equal(before.data(), before.data() + before.block_size, std::as_const(theta).data()));

  parameters<model, double> wide(seed{4}), again(seed{5});
  load(wide, files + "state_dict.safetensors");
  CHECK(get<"states.weight_hh_l0_reverse">(wide)(8, 2) == get<"states.weight_hh_l0_reverse">(theta)(8, 2));
  save(wide, saved.path, {.metadata = {{"epoch", "3"}}});
  load(again, saved.path);
  CHECK(same_bits(wide, again));
  CHECK(io::safetensors_file(saved.path).metadata().at("epoch") == "3");
  CHECK(io::safetensors_file(saved.path).at("logits.bias").type == io::dtype::float64);
}
TEST_CASE("a convolution's weight is in PyTorch's order in the file") {
  parameters<image> theta(seed{3});
  load(theta, files + "conv2d.safetensors");
  for (int channel = 0; channel < 2; ++channel)  // of the file: 0, 1, 2, .. in [channel, feature, y, x]
    for (int d = 0; d < 3; ++d)
      for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 5; ++x)
          CHECK(get<"y.weight">(theta)(channel, (y * 5 + x) * 3 + d) ==
                float(((channel * 3 + d) * 2 + y) * 5 + x));
  const file_with saved("a convolution is saved here");
  parameters<image> again(seed{4});
  save(theta, saved.path);
  CHECK(io::safetensors_file(saved.path).at("y.weight").shape == std::vector<std::size_t>{2, 3, 2, 5});
  load(again, saved.path);
  CHECK(same_bits(theta, again));
}
TEST_CASE("halves become floats") {
  parameters<model> exact(seed{3}), theta(seed{3});
  load(exact, files + "state_dict.safetensors");
  load(theta, files + "halves.safetensors");
  double worst = 0;
  for (int k = 0; k < theta.block_size; ++k) {
    const double x = std::as_const(exact).data()[k];
    worst = worse(worst, std::abs(std::as_const(theta).data()[k] - x) / std::max(std::abs(x), 1e-3));
  }
  CHECK(worst > 1e-4);
  CHECK(worst < 1.0 / 256);  // bfloat16 has 8 bits
}
TEST_CASE("one error lists all names, and the parameters are what they were") {
  parameters<other> theta(seed{3});
  const parameters<other> before = theta;
  const std::string path = files + "state_dict.safetensors";
  CHECK(error_of([&] { load(theta, path); }) ==
        path +
            ": does not fit the parameters of graph 'other':\n"
            "  'logits.weight': expected [3, 6], got [2, 5]\n"
            "  'logits.bias': expected [3], got [2]\n"
            "  missing 'embeddings.weight' [7, 4]; the nearest is 'embedded.weight' [7, 4]\n"
            "  unexpected 'embedded.weight' [7, 4]; the nearest is 'embeddings.weight' [7, 4]\n"
            "  unexpected 'trigrams.bias' [5]\n"
            "  unexpected 'trigrams.weight' [5, 6, 3]\n"
            "  match names by .rename = {{\"theirs.*\", \"ours.*\"}}, or accept these by .allow_missing = "
            "true and "
            ".allow_unexpected = true");
  // Other shapes are never accepted.
  CHECK(error_of([&] { load(theta, path, {.allow_missing = true, .allow_unexpected = true}); }) ==
        path +
            ": does not fit the parameters of graph 'other':\n"
            "  'logits.weight': expected [3, 6], got [2, 5]\n"
            "  'logits.bias': expected [3], got [2]");
  CHECK(same_bits(before, theta));
  CHECK(before.revision() == theta.revision());
}
TEST_CASE("integers are no parameters") {
  const std::vector<int> counts(28);
  const std::vector<float> bias(2);
  const file_with wrong("integers are saved here");
  io::write_safetensors(wrong.path,
                        {{"y.weight", io::dtype::int32, {2, 3, 2, 5}, std::vector<int>(60).data()},
                         {"y.bias", io::dtype::float32, {2}, bias.data()}});
  parameters<image> theta(seed{3});
  CHECK(error_of([&] { load(theta, wrong.path); }) ==
        wrong.path +
            ": does not fit the parameters of graph 'image':\n"
            "  'y.weight': expected floating-point numbers, got int32");
}
TEST_CASE("a part of a file, under other names") {
  parameters<other> theta(seed{3});
  const parameters<other> before = theta;
  parameters<model> file(seed{3});
  load(file, files + "state_dict.safetensors");
  const auto names =
      load(theta, files + "state_dict.safetensors",
           {.rename = {{"embedded.*", "embeddings.*"}}, .only = {"embeddings.*", "states.*_reverse"}});
  CHECK(names.unexpected.empty());
  CHECK(std::ranges::equal(get<"embeddings.weight">(theta), get<"embedded.weight">(file)));
  CHECK(std::ranges::equal(get<"states.bias_ih_l0_reverse">(theta), get<"states.bias_ih_l0_reverse">(file)));
  CHECK(std::ranges::equal(get<"states.bias_ih_l0">(theta), get<"states.bias_ih_l0">(before)));
  CHECK(std::ranges::equal(get<"logits.weight">(theta), get<"logits.weight">(before)));
}
TEST_CASE("names that are accepted without a partner are returned") {
  const file_with saved("only a part is saved here");
  parameters<other> theta(seed{3}), from(seed{4});
  const parameters<other> before = theta;
  save(from, saved.path, {.only = "states.*"});
  CHECK(io::safetensors_file(saved.path).tensors().size() == 8);
  const auto names = load(theta, saved.path, {.allow_missing = true});
  CHECK(names.missing == std::vector<std::string>{"embeddings.weight", "logits.weight", "logits.bias"});
  CHECK(std::ranges::equal(get<"states.weight_ih_l0">(theta), get<"states.weight_ih_l0">(from)));
  CHECK(std::ranges::equal(get<"logits.bias">(theta), get<"logits.bias">(before)));

  parameters<tied> small(seed{3});
  const auto more = load(small, saved.path, {.allow_missing = true, .allow_unexpected = true});
  CHECK(more.missing == std::vector<std::string>{"embedded.weight", "logits.bias"});
  CHECK(more.unexpected.size() == 8);
  CHECK_THROWS_WITH_AS(
      save(from, saved.path, {.only = "state.*"}),
      (saved.path + ": no parameter of graph 'other' has a name that .only asks for").c_str(), input_error);
}
TEST_CASE("of tied parameters a file has one name or both, with the same numbers") {
  parameters<tied> once(seed{3}), twice(seed{4});
  load(once, files + "tied_once.safetensors");
  load(twice, files + "tied_twice.safetensors");
  CHECK(same_bits(once, twice));
  const file_with saved("tied parameters are saved here");
  save(once, saved.path);
  CHECK(io::safetensors_file(saved.path).tensors().size() ==
        3);  // load_state_dict(strict=True) asks for both

  std::string bytes = detail::read_file(files + "tied_twice.safetensors");
  bytes.back() = static_cast<char>(bytes.back() ^ 1);  // of logits.weight, the last
  const file_with wrong(bytes);
  const parameters<tied> before = once;
  CHECK(
      error_of([&] { load(once, wrong.path); }) ==
      wrong.path +
          ": does not fit the parameters of graph 'tied':\n"
          "  'embedded.weight' and 'logits.weight' are tied in the graph, so expected the same numbers, got "
          "others at element 23");
  CHECK(same_bits(before, once));

  io::write_safetensors(wrong.path, {{"logits.bias", io::dtype::float32, {6}, once.data()}});
  CHECK(error_of([&] {
          load(once, wrong.path);
        }).find("\n  missing 'embedded.weight' [6, 4]\n  match names") != std::string::npos);
}
TEST_CASE("a block that was moved from") {
  parameters<tied> theta(seed{3});
  const parameters<tied> taken = std::move(theta);
  CHECK_THROWS_AS(load(theta, files + "tied_once.safetensors"), input_error);
  CHECK_THROWS_AS(save(theta, "never"), input_error);
}

}  // namespace tenon::test
