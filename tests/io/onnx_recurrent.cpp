// Recurrent networks of PyTorch's exporters: LSTM, GRU and RNN in one and two layers, forward and in both directions. The graphs are those that
// from_onnx wrote (tests/io/onnx_import.cpp compares); the sizes are different primes.
// timeout: 300
#include "golden/onnx/gru1.hpp"
#include "golden/onnx/gru1_both.hpp"
#include "golden/onnx/gru2.hpp"
#include "golden/onnx/gru2_both.hpp"
#include "golden/onnx/gru2_both_new.hpp"
#include "golden/onnx/lstm1.hpp"
#include "golden/onnx/lstm1_both.hpp"
#include "golden/onnx/lstm2.hpp"
#include "golden/onnx/lstm2_both.hpp"
#include "golden/onnx/lstm2_both_new.hpp"
#include "golden/onnx/rnn1.hpp"
#include "golden/onnx/rnn1_both.hpp"
#include "golden/onnx/rnn2.hpp"
#include "golden/onnx/rnn2_both.hpp"
#include "support/onnx_samples.hpp"

namespace tenon::test {

TEST_CASE("LSTM: gates i o f c become i f g o") {
  check_onnx_network<lstm1>("lstm1");
  check_onnx_network<lstm1_both>("lstm1_both");
  check_onnx_network<lstm2>("lstm2");
  check_onnx_network<lstm2_both>("lstm2_both");
  check_onnx_network<lstm2_both_new>("lstm2_both_new");
}
TEST_CASE("GRU: gates z r h become r z n") {
  check_onnx_network<gru1>("gru1");
  check_onnx_network<gru1_both>("gru1_both");
  check_onnx_network<gru2>("gru2");
  check_onnx_network<gru2_both>("gru2_both");
  check_onnx_network<gru2_both_new>("gru2_both_new");
}
TEST_CASE("RNN") {
  check_onnx_network<rnn1>("rnn1");
  check_onnx_network<rnn1_both>("rnn1_both");
  check_onnx_network<rnn2>("rnn2");
  check_onnx_network<rnn2_both>("rnn2_both");
}

}  // namespace tenon::test
