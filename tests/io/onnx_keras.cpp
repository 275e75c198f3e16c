// Networks of Keras' exporter, and operators of ONNX's own tests. The graphs are those that from_onnx wrote (tests/io/onnx_import.cpp compares); the
// sizes of Keras' are different primes.
// timeout: 300
#include "golden/onnx/keras_encoder.hpp"
#include "golden/onnx/keras_encoder_gelu.hpp"
#include "golden/onnx/keras_gru1.hpp"
#include "golden/onnx/keras_gru1_both.hpp"
#include "golden/onnx/keras_gru2.hpp"
#include "golden/onnx/keras_gru2_both.hpp"
#include "golden/onnx/keras_gru_last.hpp"
#include "golden/onnx/keras_lstm1.hpp"
#include "golden/onnx/keras_lstm1_both.hpp"
#include "golden/onnx/keras_lstm2.hpp"
#include "golden/onnx/keras_lstm2_both.hpp"
#include "golden/onnx/keras_rnn1.hpp"
#include "golden/onnx/keras_rnn1_both.hpp"
#include "golden/onnx/keras_rnn2.hpp"
#include "golden/onnx/keras_rnn2_both.hpp"
#include "golden/onnx/keras_text_cnn.hpp"
#include "golden/onnx/onnx_gru_bidirectional.hpp"
#include "golden/onnx/onnx_gru_reverse.hpp"
#include "golden/onnx/onnx_gru_seq_length.hpp"
#include "golden/onnx/onnx_lstm_bidirectional.hpp"
#include "golden/onnx/onnx_lstm_reverse.hpp"
#include "golden/onnx/onnx_lstm_with_initial_bias.hpp"
#include "golden/onnx/onnx_rnn_seq_length.hpp"
#include "support/onnx_samples.hpp"

namespace tenon::test {

TEST_CASE("LSTM: gates i f c o become i f g o") {
  check_onnx_network<keras_lstm1>("keras_lstm1");
  check_onnx_network<keras_lstm1_both>("keras_lstm1_both");
  check_onnx_network<keras_lstm2>("keras_lstm2");
  check_onnx_network<keras_lstm2_both>("keras_lstm2_both");
}
TEST_CASE("GRU and RNN are loops, whose step is found by what it computes") {
  check_onnx_network<keras_gru1>("keras_gru1");
  check_onnx_network<keras_gru1_both>("keras_gru1_both");
  check_onnx_network<keras_gru2>("keras_gru2");
  check_onnx_network<keras_gru2_both>("keras_gru2_both");
  check_onnx_network<keras_gru_last>("keras_gru_last");
  check_onnx_network<keras_rnn1>("keras_rnn1");
  check_onnx_network<keras_rnn1_both>("keras_rnn1_both");
  check_onnx_network<keras_rnn2>("keras_rnn2");
  check_onnx_network<keras_rnn2_both>("keras_rnn2_both");
}
TEST_CASE("convolutions of a text, attention, norms that are spelled out") {
  check_onnx_network<keras_text_cnn>("keras_text_cnn");
  check_onnx_network<keras_encoder>("keras_encoder",
                                    1e-6);  // the file's 1 / sqrt(5) and epsilon are in float
  check_onnx_network<keras_encoder_gelu>("keras_encoder_gelu", 1e-6);
}
TEST_CASE("ONNX's own tests: Cho's GRU, backward, both directions") {  // in float
  check_onnx_network<onnx_gru_seq_length>("onnx_gru_seq_length", 1e-6);
  check_onnx_network<onnx_gru_reverse>("onnx_gru_reverse", 1e-6);
  check_onnx_network<onnx_gru_bidirectional>("onnx_gru_bidirectional", 1e-6);
  check_onnx_network<onnx_lstm_with_initial_bias>("onnx_lstm_with_initial_bias", 1e-6);
  check_onnx_network<onnx_lstm_reverse>("onnx_lstm_reverse", 1e-6);
  check_onnx_network<onnx_lstm_bidirectional>("onnx_lstm_bidirectional", 1e-6);
  check_onnx_network<onnx_rnn_seq_length>("onnx_rnn_seq_length", 1e-6);
}

}  // namespace tenon::test
