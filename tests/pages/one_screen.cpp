// The first example, with data, training, evaluation and a drawing, has 60 lines including the file of its data: one screen.
#include "public_names/public_names.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>

TEST_CASE("the first example fits on one screen") {
  std::ptrdiff_t lines = 0;
  for (const char* file : {"index_lookup.cpp", "digit_sequences.hpp"}) {
    const std::string text = public_names::text_of(std::string(TENON_SOURCE_DIR "/examples/") + file);
    REQUIRE(!text.empty());
    lines += std::count(text.begin(), text.end(), '\n');
  }
  CHECK(lines <= 60);
}
