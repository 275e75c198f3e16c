// One layer in one direction, for each cell. Its final states are separate outputs.
#include "accuracy_layers/measure.hpp"

namespace accuracy {

template <class Layer, int Size>
using with_states = tenon::graph<"layer", tenon::input<"x", tenon::features<Size>, tenon::steps<bound>>,
                                 tenon::node<"y", Layer, "x">, tenon::output<"y">, tenon::output<"y.h_n">>;

template <auto H, class... Options>
using rnn_relu = tenon::nn::recurrent<tenon::nn::cells::rnn_relu, tenon::nn::hidden<H>, Options...>;
template <auto H, class... Options>
using gru_cho = tenon::nn::recurrent<tenon::nn::cells::gru_cho, tenon::nn::hidden<H>, Options...>;

template <template <auto, class...> class Layer>
void each_size(const char* name) {
  both_lengths<with_states<Layer<8>, 8>>(name, 8);
  both_lengths<with_states<Layer<100>, 100>>(name, 100);
}

void recurrent_layers() {
  each_size<tenon::nn::rnn>("rnn");
  each_size<rnn_relu>("rnn_relu");
  each_size<tenon::nn::lstm>("lstm");
  using rough = tenon::backend::cpu_with<tenon::backend::fast_math>;
  both_lengths<with_states<tenon::nn::lstm<8>, 8>, void, rough>("lstm, fast_math", 8);
  both_lengths<with_states<tenon::nn::lstm<100>, 100>, void, rough>("lstm, fast_math", 100);
  each_size<tenon::nn::gru>("gru");
  each_size<gru_cho>("gru_cho");
}

}  // namespace accuracy
