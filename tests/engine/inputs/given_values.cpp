// Values that a program gives to an input in each possible form, read back where a run reads them; values that do not fit change nothing.
#include "tenon/engine/inputs/given_values.hpp"

#include "tenon/engine/session/inference.hpp"
#include "tenon/nn/nn.hpp"

#include <doctest/doctest.h>

#include <array>
#include <limits>
#include <list>
#include <string>
#include <utility>
#include <vector>

namespace tenon::test {
using namespace nn;

namespace {

constexpr int B = 3;
using row = std::vector<float>;

// A graph's only input, or its input of this number, with the numbers and lengths that a run would read.
template <class G, int Input = 0>
struct one_input {
  using plan = engine::plan_of<G, void, engine::purpose::inference, batch<B>>;
  using buffers = engine::input_buffers<plan>;
  static constexpr int e = plan::net.inputs[Input];
  static constexpr ir::edge edge = plan::net.edges[e];
  static constexpr int steps = edge.axis >= 0 ? plan::steps(e) : edge.layers;

  buffers inputs;
  row values = row(std::size_t(steps * B * edge.size), -7);

  template <class... Given>
  void set(const Given&... given) {
    engine::given_values<plan>{inputs}.template set<e>(given..., values.data());
  }
  template <class X, class Lengths>
  void set_in_order(const X& x, const Lengths& lengths, layout order) {
    engine::given_values<plan>{inputs}.template set<e>(x, lengths, values.data(), order);
  }
  // The message when f is refused; nothing may have changed.
  template <class F>
  std::string refused(F give) {
    const row before = values;
    const int rows = inputs.given_rows(e);
    try {
      give();
    } catch (const input_error& error) {
      CHECK(values == before);
      CHECK(inputs.given_rows(e) == rows);
      return error.what();
    }
    return "nothing was refused";
  }
  row at(int t, int r) const {
    const float* const first = values.data() + buffers::template place_of_row<e>(t, r);
    return {first, first + edge.size};
  }
  int token(int t, int r) const { return inputs.tokens()[e][t * B + r]; }
  std::vector<int> lengths() const {
    const int* const first = inputs.lengths().lengths_of(Input);
    return {first, first + B};
  }
};

using sequences =
    graph<"sequences", input<"x", features<2>, steps<3>>, node<"y", linear<1>, "x">, output<"y">>;
using vectors = graph<"vectors", input<"x", features<2>>, node<"y", linear<1>, "x">, output<"y">>;
using single = graph<"single", input<"x", features<1>>, node<"y", linear<1>, "x">, output<"y">>;
using texts = graph<"texts", input<"t", token<9>, steps<3>>, node<"y", embedding<9, 2>, "t">, output<"y">>;
using words = graph<"words", input<"t", token<9>>, node<"y", embedding<9, 2>, "t">, output<"y">>;
using images = graph<"images", input<"x", features<2>, grid<2, 3>>, node<"y", linear<1>, "x">, output<"y">>;
using grey = graph<"grey", input<"x", features<1>, grid<2, 3>>, node<"y", linear<1>, "x">, output<"y">>;
using layered = graph<"layered", input<"x", features<2>, steps<3>>, input<"h0", features<2>, layers<2>>,
                      node<"y", gru<2, layers<2>>, "x", "h0">, output<"y">>;

}  // namespace

TEST_CASE("tokens: a range for each sequence, whatever its type") {
  one_input<texts> in;
  in.set(std::vector<std::list<long>>{{1, 2, 8}, {}});
  CHECK(in.inputs.given_rows(in.e) == 2);
  CHECK(in.lengths() == std::vector<int>{3, 0, 0});
  CHECK((in.token(0, 0) == 1 && in.token(1, 0) == 2 && in.token(2, 0) == 8));
  for (int t = 0; t < 3; ++t) CHECK((in.token(t, 1) == -1 && in.token(t, 2) == -1));
  in.set(std::vector<std::vector<unsigned char>>{{5}});  // clears the rows set before
  CHECK((in.token(0, 0) == 5 && in.token(1, 0) == -1 && in.token(2, 0) == -1));
  CHECK(in.lengths() == std::vector<int>{1, 0, 0});
  using lists = std::vector<std::vector<int>>;
  CHECK(in.refused([&] {
    in.set(lists{{1}, {1, 9}});
  }) == "input 't': row 1, step 1: token 9 is outside table 'y.weight' of 9 rows");
  CHECK(in.refused([&] {
    in.set(lists{{1, 2, 3, 4}});
  }) == "input 't': row 0: length 4 is beyond the bound of 3 steps");
  CHECK(in.refused([&] { in.set(lists{}); }) == "input 't': the batch is empty");
  CHECK(in.refused([&] { in.set(lists(4)); }) == "input 't': at most 3 rows fit into batch<3>, got 4");
  CHECK(in.token(0, 0) == 5);
}

TEST_CASE("tokens: one for each row, and a table of them in either order of axes") {
  one_input<words> one;
  one.set(std::vector<long>{4, 0});
  CHECK((one.token(0, 0) == 4 && one.token(0, 1) == 0 && one.token(0, 2) == -1));
  CHECK(one.refused([&] { one.set(std::vector<long>{-1}); }) ==
        "input 't': row 0: token -1 is outside table 'y.weight' of 9 rows");

  const std::array<int, 6> numbers{1, 2, 3, 4, 5, 99};  // 99: past the end of its row
  one_input<texts> rows_first, time_first;
  rows_first.set(view<const int>(numbers.data(), {2, 3}), std::vector<int>{3, 2});
  CHECK((rows_first.token(0, 1) == 4 && rows_first.token(1, 1) == 5 && rows_first.token(2, 1) == -1));
  CHECK(rows_first.lengths() == std::vector<int>{3, 2, 0});
  time_first.set_in_order(view<const int>(numbers.data(), {2, 3}), std::vector<int>{2, 2, 1},
                          layout::time_first);
  CHECK((time_first.token(0, 0) == 1 && time_first.token(1, 0) == 4 && time_first.token(1, 2) == -1));
  CHECK(time_first.lengths() == std::vector<int>{2, 2, 1});
}

TEST_CASE("numbers of rows: flat, in ranges, or as a tensor; rows that are not given are zeros") {
  const auto check = [](const auto& in) {
    CHECK(in.inputs.given_rows(in.e) == 2);
    CHECK(in.at(0, 0) == row{1, 2});
    CHECK(in.at(0, 1) == row{3, 4});
    CHECK(in.at(0, 2) == row{0, 0});
  };
  one_input<vectors> flat, ranges, tensor;
  flat.set(std::vector<double>{1, 2, 3, 4});
  ranges.set(std::vector<std::list<double>>{{1, 2}, {3, 4}});
  const double numbers[]{1, 3, 2, 4};
  tensor.set(view<const double>(numbers, {2, 2}, {1, 2}));
  check(flat);
  check(ranges);
  check(tensor);
  CHECK(flat.refused([&] {
    flat.set(row{1, 2, 3});
  }) == "input 'x': expected a multiple of 2 numbers, got 3");
  CHECK(flat.refused([&] {
    flat.set(std::vector<row>{{1, 2}, {1}});
  }) == "input 'x': row 1: expected 2 numbers, got 1");
  CHECK(flat.refused([&] {
    flat.set(view<const double>(numbers, {2, 1}));
  }) == "input 'x': expected 2 features, got 1");
  CHECK(flat.refused([&] { flat.set(view<const double>(numbers, {4})); }) ==
        "input 'x': expected rank 2, got rank 1");
}

TEST_CASE("numbers of one feature: a tensor may lack its axis") {
  const auto check = [](const auto& in) {
    CHECK(in.inputs.given_rows(in.e) == 2);
    CHECK((in.at(0, 0) == row{1} && in.at(0, 1) == row{3} && in.at(0, 2) == row{0}));
  };
  one_input<single> range, without, without_by_type, with, with_by_type;
  const double numbers[]{1, 2, 3, 4};
  range.set(std::vector<double>{1, 3});
  without.set(view<const double>(numbers, {2}, {2}));
  without_by_type.set(view<const double, 1>(numbers, {2}, {2}));
  with.set(view<const double>(numbers, {2, 1}, {2, 1}));
  with_by_type.set(view<const double, 2>(numbers, {2, 1}, {2, 1}));
  check(range);
  check(without);
  check(without_by_type);
  check(with);
  check(with_by_type);
  CHECK(with.refused([&] {
    with.set(view<const double>(numbers, {1, 2, 1}));
  }) == "input 'x': expected rank 2, or 1, got rank 3; its first axis is that of layers: give one of them, "
        "x[k], or "
        "give the input layers<n>");
  CHECK(with.refused([&] { with.set(view<const double>(numbers, {4})); }) ==
        "input 'x': at most 3 rows fit into batch<3>, got 4");
}

TEST_CASE("numbers of sequences: past an end nothing is read, and there are zeros") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto check = [](const auto& in) {
    CHECK(in.lengths() == std::vector<int>{1, 2, 0});
    CHECK(in.at(0, 0) == row{1, 2});
    CHECK(in.at(0, 1) == row{3, 4});
    CHECK(in.at(1, 1) == row{5, 6});
    for (auto [t, r] : {std::pair{1, 0}, {2, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}})
      CHECK(in.at(t, r) == row{0, 0});
  };
  one_input<sequences> ranges, tensor, time_first;
  ranges.set(std::vector<std::vector<row>>{{{1, 2}}, {{3, 4}, {5, 6}}});
  const float numbers[]{1, 2, nan, nan, 3, 4, 5, 6};
  tensor.set(view<const float>(numbers, {2, 2, 2}), std::array<long, 2>{1, 2});
  const float by_time[]{1, 2, 3, 4, nan, nan, 5, 6};
  time_first.set_in_order(view<const float>(by_time, {2, 2, 2}), std::vector<int>{1, 2}, layout::time_first);
  check(ranges);
  check(tensor);
  check(time_first);

  tensor.set(view<const float>(numbers, {1, 1, 2}));  // without lengths, rows have all steps
  CHECK(tensor.lengths() == std::vector<int>{1, 0, 0});
  const view<const float> two(numbers, {2, 2, 2});
  CHECK(tensor.refused([&] { tensor.set(two, std::vector<int>{1}); }) ==
        "input 'x': expected 2 lengths, one for each row, got 1");
  CHECK(tensor.refused([&] {
    tensor.set(two, std::vector<int>{1, 3});
  }) == "input 'x': row 1: length 3 is beyond the bound of 2 steps");
  CHECK(tensor.refused([&] {
    tensor.set(two, std::vector<int>{-1, 1});
  }) == "input 'x': row 0: length -1 is negative");
  CHECK(tensor.refused([&] {
    tensor.set(view<const float>(numbers, {1, 4, 2}));
  }) == "input 'x': at most 3 steps fit, got 4");
  CHECK(tensor.refused([&] {
    tensor.set(std::vector<std::vector<row>>{{{1, 2}, {1}}});
  }) == "input 'x': row 0, step 1: expected 2 numbers, got 1");
}

TEST_CASE("one step of a sequence: flat, or a range for each row") {
  using type = one_input<sequences>;
  const auto check = [](const type& in) {
    CHECK(row(in.values.begin(), in.values.begin() + B * 2) == row{1, 2, 3, 4, 0, 0});
    CHECK(in.values[B * 2] == -7);  // other steps are not changed
    CHECK(in.lengths() == std::vector<int>{1, 1, 0});
  };
  type flat, ranges;
  const row numbers{1, 2, 3, 4};
  engine::given_values<type::plan>{flat.inputs}.set_step<type::e>(numbers.data(), numbers.size(),
                                                                  flat.values.data());
  const std::vector<row> rows{{1, 2}, {3, 4}};
  engine::given_values<type::plan>{ranges.inputs}.set_step<type::e>(rows, ranges.values.data());
  check(flat);
  check(ranges);
}

TEST_CASE("images: all places of a row, line after line") {
  const auto check = [](const auto& in, int size) {
    CHECK(in.inputs.given_rows(in.e) == 2);
    for (int r = 0; r < B; ++r)
      for (int p = 0; p < 6; ++p)
        for (int j = 0; j < size; ++j)
          CHECK(in.at(p, r)[std::size_t(j)] == (r < 2 ? float((r * 6 + p) * size + j) : 0));
    CHECK(in.lengths() == std::vector<int>{6, 6, 0});
  };
  row numbers;
  for (int k = 0; k < 2 * 6 * 2; ++k) numbers.push_back(float(k));
  one_input<images> flat, ranges, tensor;
  flat.set(numbers);
  ranges.set(
      std::vector<row>{{numbers.begin(), numbers.begin() + 12}, {numbers.begin() + 12, numbers.end()}});
  tensor.set(view<const float>(numbers.data(), {2, 2, 3, 2}));
  check(flat, 2);
  check(ranges, 2);
  check(tensor, 2);
  one_input<grey> with_feature, without;
  with_feature.set(view<const float>(numbers.data(), {2, 2, 3, 1}));
  without.set(view<const float>(numbers.data(), {2, 2, 3}));  // of one feature the axis may be left out
  check(with_feature, 1);
  check(without, 1);
  with_feature.set(view<const float, 4>(numbers.data(), {2, 2, 3, 1}));
  without.set(view<const float, 3>(numbers.data(), {2, 2, 3}));
  check(with_feature, 1);
  check(without, 1);
  CHECK(tensor.refused([&] {
    tensor.set(view<const float>(numbers.data(), {2, 3, 2, 2}));
  }) == "input 'x': expected 2 x 3 places, got 3 x 2");
  CHECK(tensor.refused([&] {
    tensor.set(view<const float>(numbers.data(), {2, 2, 3}));
  }) == "input 'x': expected rank 4, got rank 3");
  CHECK(without.refused([&] {
    without.set(view<const float>(numbers.data(), {2, 6}));
  }) == "input 'x': expected rank 4, or 3, got rank 2");
}

TEST_CASE("layers: the first axis is that of layers") {
  one_input<layered, 1> in;
  const float numbers[]{1, 2, 3, 4, 5, 6, 7, 8};
  in.set(view<const float>(numbers, {2, 2, 2}));
  CHECK(in.at(0, 0) == row{1, 2});
  CHECK(in.at(0, 1) == row{3, 4});
  CHECK(in.at(1, 0) == row{5, 6});
  CHECK(in.at(1, 2) == row{0, 0});
  CHECK(in.refused([&] {
    in.set(view<const float>(numbers, {1, 2, 2}));
  }) == "input 'h0': expected 2 layers, got 1");
  CHECK(in.refused([&] {
    in.set(view<const float>(numbers, {2, 2}));
  }) == "input 'h0': expected rank 3, got rank 2; give [layers, rows, features]");
}

}  // namespace tenon::test
