// The graphs of the examples as ONNX files.
// timeout: 300
#include "../../examples/amplifier/networks.hpp"
#include "../../examples/captions.hpp"
#include "../../examples/dates.hpp"
#include "../../examples/sentences.hpp"
#include "../../examples/translate/bahdanau.hpp"
#include "../../examples/translate/sutskever.hpp"
#include "../../examples/translate/transformer.hpp"
#include "../../examples/translate/tutorial.hpp"
#include "../../examples/word_model.hpp"
#include "../../examples/word_vectors.hpp"
#include "support/check_onnx.hpp"

namespace tenon::test {

constexpr translation::sizes few{
    .source_words = 19, .target_words = 17, .steps = 7, .embedding = 12, .hidden = 16};

TEST_CASE("translations") {
  check_onnx<translation::sutskever<few>::network>();
  check_onnx<translation::bahdanau<few>::network>();
  check_onnx<translation::transformer<few>::network>();
  check_onnx<translation::with_forcing<few>::network>();
  check_onnx<translation::with_forcing<few>::writer>();
}
TEST_CASE("a language model and vectors of words") {
  check_onnx<word_model::network<23, 5, 7, 0.2>>();
  check_onnx<word_vectors::sampled<word_vectors::skip_gram_loss, 23, 5>>();
  check_onnx<word_vectors::sampled<word_vectors::bag_of_words_loss, 23, 5>>();
  check_onnx<word_vectors::skip_gram<23, 5>>();
  check_onnx<word_vectors::bag_of_words<23, 5>>();
}
TEST_CASE("dates") {
  check_onnx<dates_as_numbers::model<true, 0.5>::writer>();
  check_onnx<dates_as_numbers::model<false, 1.0>::learner>();
}
TEST_CASE("words with their beginnings and endings") {
  constexpr sentences::sizes of_words{.words = 23, .word = 5, .part = 3, .hidden = 7, .channels = 4};
  check_onnx<sentences::spelled<of_words, 0.1, 0.2>>();
}
TEST_CASE("amplifiers, written only: 8,192 samples through 20 layers are long for an interpreter") {
  const onnx::interpreter file(saved(drawn<amplifier::convolutional_network, double>()));
  CHECK(file.nodes_of("Conv") == 20);
  CHECK(file.inputs() == std::vector<std::string>{"in", "in.lengths"});
}
TEST_CASE("captions of pictures") { check_onnx<digit_captions::network, 1>(); }

}  // namespace tenon::test
