// dL/doutput given by the caller: for an edge of each kind, and tensors with any strides, the numbers that kernels would read are those of
// the tensor, index by index.
#include "tenon/engine/inputs/given_adjoints.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace tenon::test {

// A row, a sequence, a grid, a stack of layers, and a row to whose adjoint others contribute.
struct five_outputs {
  ir::edge edges[5]{{.path = "row", .size = 3},
                    {.path = "steps", .size = 3, .axis = 0},
                    {.path = "map", .size = 3, .axis = 1, .grid = {2, 4}},
                    {.path = "states", .size = 3, .layers = 2},
                    {.path = "shared", .size = 3}};
};
struct some_plan {
  using scalar = float;
  static constexpr five_outputs net{};
  static constexpr bool owns_its_memory(int e) { return e != 4; }
  static constexpr bool reads_callers_adjoint(int e) { return e < 3; }
};
// The same on a backend that reads only its own.
struct copying_plan : some_plan {
  static constexpr bool reads_callers_adjoint(int) { return false; }
};

constexpr int rows = 5, steps = 4, height = 2, width = 4, size = 3, layers = 2;
std::vector<float> numbers(std::size_t count) {
  std::vector<float> all(count);
  for (std::size_t k = 0; k < count; ++k) all[k] = static_cast<float>((7 * k) % 31) / 4;
  return all;
}

TEST_CASE("rows: read in place where features are side by side") {
  const std::vector<float> data = numbers(200);
  for (const std::ptrdiff_t row : {3, 8})
    for (const std::ptrdiff_t feature : {1, 2}) {
      const view<const float> x(data.data(), {rows, size}, {row, feature});
      const auto there = engine::adjoint_in_place<some_plan, 0>(x);
      CHECK((there.data != nullptr) == (feature == 1));
      for (int i = 0; i < rows && there.data != nullptr; ++i)
        for (int j = 0; j < size; ++j) CHECK(there.data[i * there.row + j] == x(i, j));
      CHECK(engine::adjoint_in_place<copying_plan, 0>(x).data == nullptr);
    }
  const view<double> wide(nullptr, {rows, size});  // of other numbers
  CHECK(engine::adjoint_in_place<some_plan, 0>(wide).data == nullptr);
}

TEST_CASE("sequences, in either order of rows and steps") {
  const std::vector<float> data = numbers(400);
  for (const bool time_first : {false, true})
    for (const std::ptrdiff_t gap : {0, 5}) {
      const std::ptrdiff_t inner = size + gap;
      const view<const float> x(data.data(), {rows, steps, size},
                                {time_first ? inner : steps * inner, time_first ? rows * inner : inner, 1});
      const auto there = engine::adjoint_in_place<some_plan, 1>(x);
      REQUIRE(there.data != nullptr);
      for (int i = 0; i < rows; ++i)
        for (int t = 0; t < steps; ++t)
          for (int j = 0; j < size; ++j) CHECK(there.data[i * there.row + t * there.step + j] == x(i, t, j));
    }
}

TEST_CASE("grids, whose places are one line after the other") {
  const std::vector<float> data = numbers(1000);
  for (const std::ptrdiff_t place : {3, 4})
    for (const std::ptrdiff_t line : {4 * place, 4 * place + 1, place / 2}) {
      const view<const float> x(data.data(), {rows, height, width, size}, {100, line, place, 1});
      const auto there = engine::adjoint_in_place<some_plan, 2>(x);
      CHECK((there.data != nullptr) == (line == 4 * place));
      for (int i = 0; i < rows && there.data != nullptr; ++i)
        for (int y = 0; y < height; ++y)
          for (int k = 0; k < width; ++k)
            for (int j = 0; j < size; ++j)
              CHECK(there.data[i * there.row + (y * width + k) * there.step + j] == x(i, y, k, j));
    }
}

TEST_CASE("what is not read in place goes to where the adjoint is, and to nothing beside it") {
  const std::vector<float> data = numbers(1000);
  std::vector<float> to(1000, -1);
  const auto written = [&] { return std::count_if(to.begin(), to.end(), [](float x) { return x != -1; }); };
  SUBCASE("row") {
    const view<const float> x(data.data(), {rows, size}, {7, 2});
    engine::take_adjoint<some_plan, 0>(x, view<float>(to.data(), {rows, size}, {4, 1}));
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < size; ++j) CHECK(to[std::size_t(4 * i + j)] == x(i, j));
    CHECK(written() == rows * size);
  }
  SUBCASE("sequence") {
    const view<const float> x(data.data(), {rows, steps, size}, {1, rows * size, rows});
    engine::take_adjoint<some_plan, 1>(x, view<float>(to.data(), {rows, steps, size}, {4, 40, 1}));
    for (int i = 0; i < rows; ++i)
      for (int t = 0; t < steps; ++t)
        for (int j = 0; j < size; ++j) CHECK(to[std::size_t(4 * i + 40 * t + j)] == x(i, t, j));
    CHECK(written() == rows * steps * size);
  }
  SUBCASE("grid") {
    const view<const float> x(data.data(), {rows, height, width, size});
    engine::take_adjoint<some_plan, 2>(x,
                                       view<float>(to.data(), {rows, height, width, size}, {4, 100, 25, 1}));
    for (int i = 0; i < rows; ++i)
      for (int y = 0; y < height; ++y)
        for (int k = 0; k < width; ++k)
          for (int j = 0; j < size; ++j)
            CHECK(to[std::size_t(4 * i + 100 * y + 25 * k + j)] == x(i, y, k, j));
    CHECK(written() == rows * height * width * size);
  }
  SUBCASE("layers") {
    const view<const float> x(data.data(), {rows, layers, size});
    engine::take_adjoint<some_plan, 3>(x, view<float>(to.data(), {rows, layers, size}, {4, 50, 1}));
    for (int i = 0; i < rows; ++i)
      for (int l = 0; l < layers; ++l)
        for (int j = 0; j < size; ++j) CHECK(to[std::size_t(4 * i + 50 * l + j)] == x(i, l, j));
    CHECK(written() == rows * layers * size);
  }
  SUBCASE("beside other contributions") {
    std::vector<double> wide(data.begin(), data.end());
    engine::take_adjoint<some_plan, 4>(view<const double>(wide.data(), {rows, size}),
                                       view<float>(to.data(), {rows, size}));
    for (std::size_t k = 0; k < rows * size; ++k) CHECK(to[k] == data[k] - 1);
    CHECK(to[rows * size] == -1);
  }
}

TEST_CASE("another shape is refused") {
  const std::vector<float> data = numbers(100);
  const view<const float> y(data.data(), {4, 3});
  const auto refusal = [&](const view<const float>& x) -> std::string {
    try {
      engine::check_adjoint_shape("logits", x, y);
    } catch (const input_error& e) { return e.what(); }
    return "";
  };
  CHECK(refusal(view<const float>(data.data(), {4, 3}, {1, 4})) == "");
  CHECK(refusal(view<const float>(data.data(), {3, 4})) ==
        "adjoint of output 'logits': expected [4, 3], got [3, 4]");
  CHECK(refusal(view<const float>(data.data(), {12})) ==
        "adjoint of output 'logits': expected [4, 3], got [12]");
  CHECK(refusal(view<const float>(data.data(), {4, 3, 1})) ==
        "adjoint of output 'logits': expected [4, 3], got [4, 3, 1]");
}

}  // namespace tenon::test
