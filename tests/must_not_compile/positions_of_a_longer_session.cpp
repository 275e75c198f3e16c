// A session for more steps than there are learned positions.
// expect(g++): the positions along \'time\' are learned, and there are 6 positions, got 8; write more of them in the graph, learned_positions<bound>
// expect(clang): "the positions along \'time\' are"
// expect(clang): "learned, and there are 6"
// expect(clang): "positions, got 8; write more of"
// expect(clang): "learned_positions<bound>"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model =
    graph<"model", input<"x", features<8>, steps<6>>, node<"y", learned_positions<6>, "x">, output<"y">>;

#ifdef MISTAKE
inference<model, steps<8>> session;
#else
inference<model, steps<4>> session;
#endif
