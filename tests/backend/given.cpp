// The place of a number in a tensor described by strides, against counting through its memory.
#include <tenon/backend/given.hpp>

#include <doctest/doctest.h>

using tenon::backend::given_rows;

TEST_CASE("rows of steps of features, one behind the other") {
  constexpr int rows = 3, steps = 4, features = 5;
  constexpr given_rows<float> dense{nullptr, steps * features, features, 1};
  std::ptrdiff_t next = 0;
  for (int r = 0; r < rows; ++r)
    for (int t = 0; t < steps; ++t)
      for (int j = 0; j < features; ++j) CHECK(dense.place(r, t, j) == next++);
}

TEST_CASE("steps outermost, and features apart") {
  constexpr int rows = 3, steps = 4, features = 5;
  constexpr given_rows<float> turned{nullptr, 2 * features, 2 * features * rows, 2};
  std::ptrdiff_t next = 0;
  for (int t = 0; t < steps; ++t)
    for (int r = 0; r < rows; ++r)
      for (int j = 0; j < features; ++j, next += 2) CHECK(turned.place(r, t, j) == next);
}

// [rows, height, width, features], a part of images with 3 more places at the end of each line and 1 more line
TEST_CASE("steps of a grid are its places, line after line") {
  constexpr int rows = 2, height = 3, width = 4, features = 2, line = (width + 3) * features,
                image = (height + 1) * line;
  constexpr given_rows<float> grid{
      .data = nullptr, .row = image, .step = features, .feature = 1, .line = line, .width = width};
  std::ptrdiff_t next = 0;
  for (int r = 0; r < rows; ++r, next += line)
    for (int y = 0; y < height; ++y, next += 3 * features)
      for (int x = 0; x < width; ++x)
        for (int j = 0; j < features; ++j) CHECK(grid.place(r, y * width + x, j) == next++);
}

TEST_CASE("beyond what an int counts") {
  constexpr given_rows<float> large{nullptr, std::ptrdiff_t(1) << 40, 1 << 30, 1};
  CHECK(large.place(3, 100, 7) == (std::ptrdiff_t(3) << 40) + (std::ptrdiff_t(100) << 30) + 7);
}
