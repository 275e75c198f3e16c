// Sequences in braces, behind the parameters.
// expect(g++): values in braces have no type: write std::vector{1, 2}, or pass an array, a tensor or a view
// expect(clang): error: values in braces have no type: write std::vector{1, 2}, or pass an array, a tensor or a view
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", token<10>, steps<5>>, node<"e", embedding<10, 4>, "x">,
                    node<"s", gru<4>, "e">, node<"y", linear<10>, "s">, output<"y">>;
#ifdef MISTAKE
auto use(inference<model>& run, const parameters<model>& theta) { return run(theta, {{1, 2}, {3}}); }
#else
auto use(inference<model>& run, const parameters<model>& theta) {
  return run(theta, std::vector<std::vector<int>>{{1, 2}, {3}});
}
#endif
