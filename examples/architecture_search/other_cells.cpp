// The simple recurrent network, the GRU, and a cell of the program's own.
#include "search.hpp"

using namespace tenon::nn;

struct minimal_gated_unit : tenon::equations::symbols {  // Zhou, Wu, Zhang and Zhou 2016: one gate for both tasks of the GRU's two
  static constexpr auto step(auto x, auto h) {
    auto f = sigmoid(W<"f">(x) + U<"f">(h) + b<"f">);
    auto n = tanh(W<"n">(x) + U<"n">(f * h) + b<"n">);
    return (1 - f) * h + f * n;
  }
};

std::vector<architecture_search::contestant> architecture_search::other_cells() {
  return {enter<cells::rnn_tanh>("tanh"), enter<cells::gru>("GRU"), enter<minimal_gated_unit>("MGU")};
}
