// The gradients of an update: cleared, added up over batches, clipped; for a sparse table only its touched rows.
#include "tenon/train/trainer/gradients.hpp"

#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace tenon::test {
using namespace nn;

template <class Table>
using words = graph<"words", input<"x", token<9>>, node<"embedded", Table, "x">,
                    node<"logits", linear<3>, "embedded">, output<"logits">>;
template <class Table>
struct of {
  using graph_type = words<Table>;
  using plan = engine::plan_of<graph_type, losses::cross_entropy<"logits">, engine::purpose::differentiation,
                               batch<4>>;
  using type = engine::update_gradients<graph_type, plan, engine::touched_by<graph_type, plan>, false>;
  static constexpr int size = parameters<graph_type>::learned_size;
};
using dense = of<embedding<9, 2>>;
using with_table = of<embedding<9, 2, sparse>>;

template <class Of>
std::vector<float> numbers_of(const typename Of::type& gradients) {
  return {gradients.block.data(), gradients.block.data() + Of::size};
}

void clear(auto& gradients, int size) {
  gradients.clear(gradients.data(), 0, size);
  gradients.clear_touched();
}

TEST_CASE("clear leaves zeros, where it is told to") {
  dense::type gradients;
  std::fill_n(gradients.data(), dense::size, 3.5f);
  gradients.clear(gradients.data(), 2, 4);
  CHECK(gradients.data()[1] == 3.5f);
  CHECK(gradients.data()[2] == 0);
  CHECK(gradients.data()[3] == 0);
  CHECK(gradients.data()[4] == 3.5f);
  clear(gradients, dense::size);
  CHECK(numbers_of<dense>(gradients) == std::vector<float>(dense::size));
}

// g = sum over batches of n_b g_b / sum of n_b, of means g_b over n_b positions
TEST_CASE("batches are added up to the mean over all of their positions") {
  dense::type gradients;
  const std::vector<double> means{1, -2, 4, 0.5}, positions{3, 5, 0, 8};  // one without any has no say
  for (int times = 0; times < 2; ++times) {                               // reset for each update
    clear(gradients, dense::size);
    gradients.start_counting();
    double expected = 0, all = 0;
    for (std::size_t b = 0; b < means.size(); ++b) {
      gradients.count(positions[b]);
      for (int k = 0; k < dense::size; ++k)
        gradients.data()[k] += positions[b] > 0 ? float(means[b] * (k + 1)) : 0;
      expected += positions[b] * means[b];
      all += positions[b];
    }
    gradients.finish();
    for (int k = 0; k < dense::size; ++k)
      CHECK(double(gradients.data()[k]) == doctest::Approx(expected / all * (k + 1)).epsilon(1e-5));
  }
}

TEST_CASE("limit moves each into its bounds") {
  dense::type gradients;
  for (int k = 0; k < dense::size; ++k) gradients.data()[k] = float(k % 7 - 3) / 4;
  const std::vector<float> before = numbers_of<dense>(gradients);
  gradients.limit(0.5);
  for (int k = 0; k < dense::size; ++k)
    CHECK(gradients.data()[k] == std::clamp(before[std::size_t(k)], -0.5f, 0.5f));
}

TEST_CASE("of a sparse table only the rows with tokens are looked at") {
  with_table::type gradients;
  constexpr auto table = engine::sparse_tables<with_table::plan::net>::tables[0];
  const int tokens[]{2, 7, 2, -1}, steps[]{1};
  const int* by_edge[with_table::plan::net.edges.size]{};
  by_edge[engine::sparse_tables<with_table::plan::net>::gathers[0].tokens] = tokens;
  gradients.touched.add(by_edge, steps, 4);
  std::fill_n(gradients.data(), with_table::size, 2.0f);
  gradients.limit(0.25);
  for (int k = 0; k < with_table::size; ++k) {
    const int row = (k - table.offset) / table.columns;
    const bool in_table = k >= table.offset && k < table.end();
    CAPTURE(k);
    CHECK(gradients.data()[k] == (!in_table || row == 2 || row == 7 ? 0.25f : 2.0f));
  }
  clear(gradients, with_table::size);  // also forgets the touched rows
  gradients.limit(0.25);
  for (int k = 0; k < with_table::size; ++k) {
    const int row = (k - table.offset) / table.columns;
    const bool in_table = k >= table.offset && k < table.end();
    CHECK(gradients.data()[k] == (!in_table || row == 2 || row == 7 ? 0.0f : 2.0f));
  }
}

}  // namespace tenon::test
