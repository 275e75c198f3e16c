// Ids that were read as float, a range for each sequence.
// expect(g++): input \'x\': tokens are whole numbers, got float; give int
// expect(clang): "input \'x\': tokens are whole"
// expect(clang): "numbers, got float; give int"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", token<10>, steps<6>>, node<"y", embedding<10, 4>, "x">, output<"y">>;

#ifdef MISTAKE
void use(inference<model>& run, const std::vector<std::vector<float>>& x) { set_input<"x">(run, x); }
#else
void use(inference<model>& run, const std::vector<std::vector<int>>& x) { set_input<"x">(run, x); }
#endif
