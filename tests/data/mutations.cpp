// The readers of text on unexpected bytes, as tests/io/mutations.cpp has the file parsers.
#include "io/fuzz/mutator.hpp"
#include "io/fuzz/texts.hpp"

#include <doctest/doctest.h>

using namespace tenon;

TEST_CASE("tables") { CHECK(fuzz::run("table", fuzz::table, 5000) > 100); }
TEST_CASE("vocabularies") { CHECK(fuzz::run("vocabulary_file", fuzz::vocabulary_file, 10000) > 100); }
TEST_CASE("lines of text") { CHECK(fuzz::run("lines", fuzz::lines, 3000) > 100); }
TEST_CASE("lists of words") { CHECK(fuzz::run("word_lists", fuzz::word_lists, 10000) > 100); }
TEST_CASE("names by pattern") { CHECK(fuzz::run("name_patterns", fuzz::name_patterns, 10000) > 100); }
