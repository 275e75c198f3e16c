// Text that is written while another input has steps, too.
// expect(g++): generate: input \'style\' has steps, too; only one input can be written
// expect(clang): "generate: input \'style\' has steps,
#include <tenon/tenon.hpp>
#include <tenon/decode/decode.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using style = input<"style", features<4>, steps<6>>;
#else
using style = input<"style", features<4>>;
#endif
using model = graph<"model", input<"word", token<8>, steps<6>>, style, node<"e", embedding<8, 4>, "word">,
                    node<"sum", add, "e", "style">, node<"logits", chain<gru<4>, linear<8>>, "sum">, output<"logits">>;
void use(streaming<model>& live) {
  auto write = generate<"word">(live, {.start = 1, .max_steps = 5});
  write();
}
