// Ids in float, and flat: they are asked for their type first.
// expect(g++): input \'x\': tokens are whole numbers, got double; give int
// expect(clang): "input \'x\': tokens are whole"
// expect(clang): "numbers, got double; give int"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", token<10>, steps<6>>, node<"y", embedding<10, 4>, "x">, output<"y">>;

#ifdef MISTAKE
void use(inference<model>& run, const std::vector<double>& x) { set_input<"x">(run, x); }
#else
void use(inference<model>& run, const std::vector<std::vector<int>>& x) { set_input<"x">(run, x); }
#endif
