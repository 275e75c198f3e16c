// Two layers in both directions.
#include "accuracy_layers/measure.hpp"

namespace accuracy {

template <int Size>
using two_lstm = tenon::nn::lstm<Size, tenon::nn::bidirectional, tenon::layers<2>>;
template <int Size>
using two_gru = tenon::nn::gru<Size, tenon::nn::bidirectional, tenon::layers<2>>;

void bidirectional_layers() {
  both_sizes<two_lstm>("lstm<bidirectional, layers<2>>");
  both_sizes<two_gru>("gru<bidirectional, layers<2>>");
}

}  // namespace accuracy
