// The states of a stream of another graph.
// expect(g++): these are the states of graph \'model\', the other stream runs graph \'other\'; copy a state by its name: set_state<\"node.h_n\">(to, get_state<\"node.h_n\">(from))
// expect(clang): "these are the states of graph"
// expect(clang): "\'model\', the other stream runs"
// expect(clang): "graph \'other\'; copy a state by its"
// expect(clang): "name: set_state<\"node.h_n\">(to,"
// expect(clang): "get_state<\"node.h_n\">(from))"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>, steps<4>>, node<"y", gru<4>, "x">, output<"y">>;
using other = graph<"other", input<"x", features<8>, steps<4>>, node<"y", gru<4>, "x">, output<"y">>;
#ifdef MISTAKE
using second = other;
#else
using second = model;
#endif
void go_on(const streaming<model>& from, streaming<second>& to) { copy_states(from, to); }
