// A state of a batch that is cut into shards.
// expect(g++): shards<N> cut the batch, and no state is carried from part to part; leave out shards<N>, or carry<..>
// expect(clang): "shards<N> cut the batch, and no"
// expect(clang): "state is carried from part to"
// expect(clang): "part; leave out shards<N>, or"
// expect(clang): "carry<..>"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;

using model = graph<"model", input<"x", token<9>, steps<5>>, input<"h0", features<4>>,
                    node<"e", embedding<9, 4>, "x">, node<"states", gru<4>, "e", "h0">,
                    node<"logits", linear<9>, "states">, output<"logits">, output<"states.h_n">>;
using training = trainer<model, cross_entropy<"logits">, adam, batch<8>>;
using cut_training = trainer<model, cross_entropy<"logits">, adam, batch<8>, shards<2>>;
void use(training& train, cut_training& cut, const std::vector<int>& text) {
  (void)train, (void)cut;
#ifdef MISTAKE
  fit(cut, contiguous<"x", carry<"states.h_n", "h0">>(text));
#else
  fit(train, contiguous<"x", carry<"states.h_n", "h0">>(text));
#endif
}
