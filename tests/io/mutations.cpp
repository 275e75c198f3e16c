// The file parsers on unexpected bytes: the corpus of tests/io/fuzz, and the same with a few random changes. tests/io/fuzz/run runs the
// searches of libFuzzer.
#include "io/fuzz/mutator.hpp"
#include "io/fuzz/targets.hpp"

#include <doctest/doctest.h>

using namespace tenon;

TEST_CASE("safetensors") { CHECK(fuzz::run("safetensors", fuzz::safetensors, 20000) > 100); }
TEST_CASE("npy") { CHECK(fuzz::run("npy", fuzz::npy, 20000) > 100); }
TEST_CASE("idx") { CHECK(fuzz::run("idx", fuzz::idx, 20000) > 100); }
TEST_CASE("zip") { CHECK(fuzz::run("zip", fuzz::zip, 20000) > 100); }
TEST_CASE("npz") { CHECK(fuzz::run("npz", fuzz::npz, 5000) > 20); }
TEST_CASE("json") { CHECK(fuzz::run("json", fuzz::json, 20000) > 100); }
TEST_CASE("word vectors") { CHECK(fuzz::run("word_vectors", fuzz::word_vectors, 10000) > 100); }
