// Two layers in both directions.
#include "accuracy_layers/measure.hpp"

namespace accuracy {

template <int Size>
using two_lstm = tenon::bidirectional<tenon::lstm<Size>, tenon::layers<2>>;
template <int Size>
using two_gru = tenon::bidirectional<tenon::gru<Size>, tenon::layers<2>>;

void bidirectional_layers() {
  both_sizes<two_lstm>("bidirectional<lstm, layers<2>>");
  both_sizes<two_gru>("bidirectional<gru, layers<2>>");
}

}  // namespace accuracy
