// A user's program: a small network of their own, checked, run and differentiated.
#include <tenon/tenon.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

constexpr int s = 6;  // a name that lambdas of the library have, too

using tagger =
    graph<"tagger", input<"words", token<20>, steps<s>>, node<"embedded", embedding<20, 8>, "words">,
          node<"states", gru<5, bidirectional>, "embedded">, node<"logits", linear<3>, "states.final">,
          output<"logits">>;

int main() {
  static_assert(check<tagger>());
  parameters<tagger> theta(seed{1});
  trainer<tagger, losses::cross_entropy<"logits">, optimizers::sgd, batch<2>> trainer(theta,
                                                                                      {.learning_rate = 0.5});
  const std::vector<std::vector<int>> sentences{{1, 2, 3}, {4, 5}};
  float first = 0, last = 0;
  for (int step = 0; step < 20; ++step) {
    set_input<"words">(trainer, sentences);
    set_input<"target">(trainer, std::vector<int>{0, 2});
    last = trainer.step();
    if (step == 0) first = last;
  }
  inference<tagger, batch<2>> run;
  const auto logits = run(theta, sentences);
  std::printf("loss %.3f -> %.3f, predicted %d %d\n", static_cast<double>(first), static_cast<double>(last),
              argmax(logits, 0), argmax(logits, 1));
  return last < first && argmax(logits, 0) == 0 && argmax(logits, 1) == 2 ? 0 : 1;
}
