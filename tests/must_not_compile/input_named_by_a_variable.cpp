// The name of an input, known only at run time.
// expect(g++): the name of an input must be a text in double quotes, got a variable; its inputs are \'x\'
// expect(clang): "the name of an input must be a"
// expect(clang): "text in double quotes, got a"
// expect(clang): "variable; its inputs are \'x\'"
#include <tenon/tenon.hpp>

#include <string>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
#ifdef MISTAKE
void use(inference<model>& run, const std::vector<float>& x, std::string name) { set_input<name>(run, x); }
#else
void use(inference<model>& run, const std::vector<float>& x) { set_input<"x">(run, x); }
#endif
