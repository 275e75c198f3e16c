// One sequence of tokens, which std::vector{..} copies: a flat range for sequences.
// expect(g++): input \'x\': a flat range is given, it takes sequences; give [batch, time], or a range of ranges, of one sequence s std::array{s}
// expect(clang): "input \'x\': a flat range is given,"
// expect(clang): "it takes sequences; give [batch,"
// expect(clang): "time], or a range of ranges, of"
// expect(clang): "one sequence s std::array{s}"
#include <tenon/tenon.hpp>

#include <array>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", token<8>, steps<6>>, node<"e", embedding<8, 4>, "x">,
                    node<"states", gru<4>, "e">, output<"states">>;
void use(inference<model>& run, const parameters<model>& theta, const std::vector<int>& sentence) {
#ifdef MISTAKE
  run(theta, std::vector{sentence});
#else
  run(theta, std::array{sentence});
#endif
}
