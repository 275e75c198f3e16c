// A graph's parameters as a list, and a block's as named tensors in PyTorch's shapes.
#include "tenon/parameters/parameter_entry.hpp"

#include "tenon/nn/convolution.hpp"
#include "tenon/nn/embedding.hpp"
#include "tenon/nn/linear.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace tenon::test {
using namespace nn;

using model =
    graph<"model", input<"t", token<6>, steps<5>>, node<"embedded", embedding<6, 4>, "t">,
          node<"c", conv1d<3, 2>, "embedded">, node<"mixed", linear<4>, "c">,
          node<"logits", linear<6>, "mixed">, tied<"embedded.weight", "logits.weight">, output<"logits">>;

TEST_CASE("entries are the parameters of the graph, in their order") {
  const auto entries = detail::entries_of<model>();
  const auto& all = network_of<model>.parameters;
  REQUIRE(entries.size() == std::size_t(all.size));
  for (int p = 0; p < all.size; ++p) {
    const detail::parameter_entry& e = entries[std::size_t(p)];
    CAPTURE(e.path);
    CHECK(e.path == all[p].path.view());
    CHECK(e.size() == std::size_t(all[p].elements()));
    CHECK(e.offset == all[p].offset);
    CHECK((e.tied_to >= 0) == (e.path == "logits.weight"));
  }
}

TEST_CASE("shapes are PyTorch's") {
  using shape = std::vector<std::size_t>;
  const auto entry = [](int columns, int height, int width) {
    return detail::parameter_entry{"w", 5, columns, 0, -1, height, width};
  };
  CHECK(entry(0, 0, 0).shape() == shape{5});
  CHECK(entry(8, 0, 0).shape() == shape{5, 8});
  CHECK(entry(12, 0, 3).shape() == shape{5, 4, 3});     // of conv1d: [rows, features, width]
  CHECK(entry(24, 2, 3).shape() == shape{5, 4, 2, 3});  // of conv2d: [rows, features, height, width]
  for (const auto& e : {entry(0, 0, 0), entry(8, 0, 0), entry(12, 0, 3), entry(24, 2, 3)}) {
    std::size_t product = 1;
    for (std::size_t extent : e.shape()) product *= extent;
    CHECK(product == e.size());
  }
}

TEST_CASE("a kernel is transposed, and transposed back") {
  const int block[]{1, 2, 3, 4, 5, 6};  // [2 places, 3 features]
  int theirs[6], back[6];
  detail::transpose_kernel(block, 2, 3, theirs);
  CHECK(std::vector<int>(theirs, theirs + 6) == std::vector<int>{1, 4, 2, 5, 3, 6});
  detail::transpose_kernel(theirs, 3, 2, back);
  CHECK(std::vector<int>(back, back + 6) == std::vector<int>(block, block + 6));
}

TEST_CASE("tensors of a block: those of a convolution in PyTorch's order, the others where they are") {
  parameters<model> theta(zeros{});
  for (int k = 0; k < parameters<model>::block_size; ++k) theta.data()[k] = float(k);
  const float* const block = std::as_const(theta).data();
  const auto entries = detail::entries_of<model>();
  std::vector<std::vector<float>> kernels;
  const auto tensors = detail::tensors_of(entries, block, kernels);
  REQUIRE(tensors.size() == entries.size());
  CHECK(kernels.size() == 1);
  for (std::size_t p = 0; p < tensors.size(); ++p) {
    const io::named_tensor& t = tensors[p];
    CAPTURE(t.name);
    CHECK(t.type == io::dtype::float32);
    CHECK(t.shape == entries[p].shape());
    const float *const here = block + entries[p].offset, *const got = static_cast<const float*>(t.data);
    if (t.name != "c.weight") {
      CHECK(got == here);
      continue;
    }
    const std::size_t features = t.shape[1], places = t.shape[2];
    for (std::size_t row = 0; row < t.shape[0]; ++row)
      for (std::size_t f = 0; f < features; ++f)
        for (std::size_t at = 0; at < places; ++at)
          CHECK(got[(row * features + f) * places + at] == here[(row * places + at) * features + f]);
  }
}

}  // namespace tenon::test
