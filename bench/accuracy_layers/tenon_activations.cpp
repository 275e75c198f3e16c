// Each activation.
#include "accuracy_layers/measure.hpp"

namespace accuracy {

void activations() {
  both_sizes<tenon::activation::sigmoid>("sigmoid");
  both_sizes<tenon::activation::tanh>("tanh");
  both_sizes<tenon::activation::relu>("relu");
  both_sizes<tenon::activation::gelu>("gelu");
  both_sizes<tenon::activation::softplus>("softplus");
  both_sizes<tenon::activation::softmax>("softmax");
  both_sizes<tenon::activation::log_softmax>("log_softmax");
}

}  // namespace accuracy
