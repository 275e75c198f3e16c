// Networks of PyTorch's exporters: rows of different lengths, text and images through convolutions, transformers, a decoder's step with a state and
// attention, equations that are no layer. The graphs are those that from_onnx wrote (tests/io/onnx_import.cpp compares).
// timeout: 300
#include "golden/onnx/decoder_step.hpp"
#include "golden/onnx/encoder.hpp"
#include "golden/onnx/encoder_new.hpp"
#include "golden/onnx/encoder_one.hpp"
#include "golden/onnx/ends.hpp"
#include "golden/onnx/image.hpp"
#include "golden/onnx/index_lookup.hpp"
#include "golden/onnx/index_lookup_new.hpp"
#include "golden/onnx/mixed.hpp"
#include "golden/onnx/tagger.hpp"
#include "golden/onnx/text_cnn.hpp"
#include "golden/onnx/text_cnn_new.hpp"
#include "support/onnx_samples.hpp"

namespace tenon::test {

TEST_CASE("rows of different lengths, which PyTorch sorts and packs") {
  check_onnx_network<tagger>("tagger");
}
TEST_CASE("the last state and the mean of all") { check_onnx_network<ends>("ends"); }
TEST_CASE("convolutions along words, and over places with their features in front") {
  check_onnx_network<text_cnn>("text_cnn");
  check_onnx_network<text_cnn_new>("text_cnn_new");
  check_onnx_network<image>("image");
}
// The file has the epsilon of a norm, and the scale of attention, in float.
TEST_CASE("transformers: projections, heads and norms in the forms of both exporters, also of one row") {
  check_onnx_network<encoder>("encoder", 1e-6);
  check_onnx_network<encoder_new>("encoder_new", 1e-6);
  check_onnx_network<encoder_one>("encoder_one", 1e-6);
}
TEST_CASE("a decoder's step: a token, a state in and out, what an encoder made") {
  check_onnx_network<decoder_step>("decoder_step");
}
TEST_CASE("the index lookup: attention of one query for each row") {
  check_onnx_network<index_lookup>("index_lookup");
  check_onnx_network<index_lookup_new>("index_lookup_new");
}
TEST_CASE("equations that are no layer of the catalogue") { check_onnx_network<mixed>("mixed", 1e-6); }
TEST_CASE("in float") {
  check_onnx_network<tagger, float>("tagger", 1e-5);
  check_onnx_network<image, float>("image", 1e-5);
}

}  // namespace tenon::test
