// A state in braces.
// expect(g++): values in braces have no type: write std::vector{1, 2}, or pass an array, a tensor or a view
// expect(clang): error: values in braces have no type: write std::vector{1, 2}, or pass an array, a tensor or a view
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", token<10>, steps<5>>, node<"e", embedding<10, 4>, "x">,
                    node<"s", gru<4>, "e">, node<"y", linear<10>, "s">, output<"y">>;
#ifdef MISTAKE
void use(streaming<model>& live) { set_state<"s.h_n">(live, {1, 2, 3, 4}); }
#else
void use(streaming<model>& live) { set_state<"s.h_n">(live, std::vector{1.f, 2.f, 3.f, 4.f}); }
#endif
