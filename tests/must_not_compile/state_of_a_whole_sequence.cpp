// A state of an encoder, which a stream runs over whole sequences.
// expect(g++): node \'states\' runs over whole sequences and carries no state; its states are \'decoder.h_n\'
// expect(clang): "node \'states\' runs over whole
// expect(clang): sequences and carries no state;
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"words", features<8>, steps<6, "source">>, input<"y", features<3>, steps<6, "target">>,
                    node<"states", gru<4>, "words">, node<"decoder", gru<4>, "y", "states.final">, output<"decoder">>;
void use(streaming<model>& live) {
#ifdef MISTAKE
  set_state<"states">(live, zeros{});
#else
  set_state<"decoder">(live, zeros{});
#endif
}
