// Each activation.
#include "accuracy_layers/measure.hpp"

namespace accuracy {

void activations() {
  both_sizes<tenon::nn::activation::sigmoid>("sigmoid");
  both_sizes<tenon::nn::activation::tanh>("tanh");
  both_sizes<tenon::nn::activation::relu>("relu");
  both_sizes<tenon::nn::activation::gelu>("gelu");
  both_sizes<tenon::nn::activation::softplus>("softplus");
  both_sizes<tenon::nn::activation::softmax>("softmax");
  both_sizes<tenon::nn::activation::log_softmax>("log_softmax");
}

}  // namespace accuracy
