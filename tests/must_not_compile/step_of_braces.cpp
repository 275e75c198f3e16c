// A step of a stream with its tokens in braces.
// expect(g++): values in braces have no type: write std::vector{1, 2}, or pass an array, a tensor or a view
// expect(clang): error: values in braces have no type: write std::vector{1, 2}, or pass an array, a tensor or a view
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", token<10>, steps<5>>, node<"e", embedding<10, 4>, "x">,
                    node<"s", gru<4>, "e">, node<"y", linear<10>, "s">, output<"y">>;
#ifdef MISTAKE
auto use(streaming<model>& live) { return live.step({1}); }
#else
auto use(streaming<model>& live) { return live.step(std::vector{1}); }
#endif
