// A graph that does not fit, run step by step: its parameters say so, and the call, its outputs taken apart and what is read say no more.
// expect(g++): node \'y\': no entry above is named \'X\'; declare sources above the nodes that use them
// expect(clang): "node \'y\': no entry above is named"
// expect(clang): "\'X\'; declare sources above the"
// expect(clang): "nodes that use them"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using model =
    graph<"model", input<"x", features<4>, steps<5>>, node<"y", gru<3>, "X">, output<"y">, output<"y.h_n">>;
#else
using model =
    graph<"model", input<"x", features<4>, steps<5>>, node<"y", gru<3>, "x">, output<"y">, output<"y.h_n">>;
#endif
float use() {
  const parameters<model> theta;
  streaming<model> run(theta);
  const auto [y, state] = run.step(std::vector<float>(4));
  const auto same = get<"y">(run);
  const auto& [again, after] = run.step(theta, std::vector<float>(4));
  return y(0, 1) + state(0, 2) + same(0, 2) + static_cast<float>(again.size() + after.size());
}
