// The contents of inputs between two runs: rows copied from a larger batch, rows that change places, rows that are removed.
#include "tenon/engine/inputs/given_values.hpp"
#include "tenon/engine/session/inference.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace tenon::test {
using namespace nn;

using two_inputs = graph<"two_inputs", input<"tokens", token<9>, steps<4>>, input<"x", features<2>>,
                         node<"e", embedding<9, 2>, "tokens">, node<"m", mean_over<"time">, "e">,
                         node<"y", add, "m", "x">, output<"y">>;
template <int Batch>
using plan = engine::plan_of<two_inputs, void, engine::purpose::inference, batch<Batch>>;
constexpr int tokens = plan<3>::net.inputs[0], x = plan<3>::net.inputs[1];
struct all_inputs {
  constexpr bool operator()(int) const { return true; }
};

template <int Batch>
struct held {
  engine::input_buffers<plan<Batch>> inputs;
  std::vector<float> numbers = std::vector<float>(std::size_t(Batch) * 2, -7.0f);

  void give() {
    engine::given_values<plan<Batch>> given{inputs};
    given.template set<tokens>(std::vector<std::vector<int>>{{1, 2, 3}, {4}, {5, 6}}, numbers.data());
    given.template set<x>(std::vector<float>{1, 2, 3, 4, 5, 6}, numbers.data());
  }
  std::vector<int> row(int r) const {
    std::vector<int> all;
    for (int t = 0; t < 4; ++t) all.push_back(inputs.tokens()[tokens][t * Batch + r]);
    return all;
  }
};

TEST_CASE("nothing has been given, then all rows are there, and behind them there is nothing") {
  held<4> h;
  CHECK(h.inputs.given_rows(tokens) == -1);
  CHECK_THROWS_AS(h.inputs.check_complete(all_inputs{}), input_error);
  h.give();
  h.inputs.check_complete(all_inputs{});
  CHECK(h.inputs.rows() == 3);
  CHECK(h.row(0) == std::vector<int>{1, 2, 3, -1});
  CHECK(h.row(3) == std::vector<int>{-1, -1, -1, -1});
  CHECK(h.numbers == std::vector<float>{1, 2, 3, 4, 5, 6, 0, 0});
}
TEST_CASE("a part of a batch has its rows, and where the batch ends earlier none") {
  held<4> whole;
  whole.give();
  held<2> part;
  part.inputs.take<tokens>(whole.inputs, 2, whole.numbers.data(), part.numbers.data());
  part.inputs.take<x>(whole.inputs, 2, whole.numbers.data(), part.numbers.data());
  part.inputs.check_complete(all_inputs{});
  CHECK(part.inputs.rows() == 1);
  CHECK(part.row(0) == std::vector<int>{5, 6, -1, -1});
  CHECK(part.row(1) == std::vector<int>{-1, -1, -1, -1});
  CHECK(part.numbers == std::vector<float>{5, 6, 0, 0});
}
TEST_CASE("rows become others, and the first are all that is left") {
  held<4> h;
  h.give();
  h.inputs.copy_row<tokens>(2, 0, h.numbers.data());
  h.inputs.copy_row<x>(2, 0, h.numbers.data());
  h.inputs.keep_rows<tokens>(1, h.numbers.data());
  h.inputs.keep_rows<x>(1, h.numbers.data());
  h.inputs.check_complete(all_inputs{});
  CHECK(h.inputs.rows() == 1);
  CHECK(h.row(0) == std::vector<int>{5, 6, -1, -1});
  CHECK(h.row(1) == std::vector<int>{-1, -1, -1, -1});
  CHECK(h.numbers == std::vector<float>{5, 6, 0, 0, 0, 0, 0, 0});
}
TEST_CASE("what does not fit changes nothing") {
  held<3> h;
  h.give();
  engine::given_values<plan<3>> given{h.inputs};
  CHECK_THROWS_AS(given.set<tokens>(std::vector<std::vector<int>>{{1}, {9}}, h.numbers.data()), input_error);
  CHECK_THROWS_AS(given.set<x>(std::vector<float>{8, 8, 8}, h.numbers.data()), input_error);
  CHECK(h.row(0) == std::vector<int>{1, 2, 3, -1});
  CHECK(h.inputs.given_rows(tokens) == 3);
  CHECK(h.numbers == std::vector<float>{1, 2, 3, 4, 5, 6});
}

}  // namespace tenon::test
