// Attention with each score; the whole index lookup network, with its loss.
#include "accuracy_layers/measure.hpp"
#include "networks/graphs.hpp"

namespace accuracy {

template <class Score, int Size>
using attending = tenon::graph<"attention", tenon::input<"query", tenon::features<Size>>,
                               tenon::input<"states", tenon::features<Size>, tenon::steps<bound>>,
                               tenon::node<"y", tenon::nn::attention<Score>, "query", "states">,
                               tenon::output<"y">, tenon::output<"y.weights">>;

template <class Small, class Middle>
void scores(const char* name) {
  both_lengths<attending<Small, 8>>(name, 8);
  both_lengths<attending<Middle, 100>>(name, 100);
}

void attentions() {
  using namespace tenon::nn::score;
  scores<dot, dot>("attention<score::dot>");
  scores<multiplicative, multiplicative>("attention<score::multiplicative>");
  scores<additive<8>, additive<100>>("attention<score::additive>");
}
void networks() {
  for (int length : {4, 10})
    measure<bench::index_lookup_graph, tenon::losses::cross_entropy<"logits">>("index_lookup", 32, length);
}

}  // namespace accuracy
