// A call with the numbers of an input in braces.
// expect(g++): values in braces have no type: write std::vector{1, 2}, or pass an array, a tensor or a view
// expect(clang): error: values in braces have no type: write std::vector{1, 2}, or pass an array, a tensor or a view
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<4>>, node<"y", linear<3>, "x">, output<"y">>;
#ifdef MISTAKE
auto use(inference<model>& run) { return run({1.f, 2.f, 3.f, 4.f}); }
#else
auto use(inference<model>& run) { return run(std::vector{1.f, 2.f, 3.f, 4.f}); }
#endif
