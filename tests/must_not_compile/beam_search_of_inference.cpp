// A search in a session that takes no steps.
// expect(g++): beam_search takes a stream; write streaming<graph, batch<rows>>, bound to its parameters
// expect(clang): "beam_search takes a stream; write
#include <tenon/tenon.hpp>
#include <tenon/decode/decode.hpp>

using namespace tenon;
using namespace tenon::nn;

using model =
    graph<"model", input<"word", token<8>, steps<6>>, node<"states", chain<embedding<8, 4>, gru<4>>, "word">,
          node<"logits", linear<8>, "states">, output<"logits">>;
void use([[maybe_unused]] inference<model>& whole, [[maybe_unused]] streaming<model>& live) {
  const decoding::beam_search_options options{.width = 1, .start = 1, .end = 2, .max_steps = 5};
#ifdef MISTAKE
  auto search = beam_search<"word">(whole, options);
#else
  auto search = beam_search<"word">(live, options);
#endif
  search();
}
