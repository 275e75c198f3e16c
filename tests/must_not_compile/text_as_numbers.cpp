// Texts where an input takes numbers.
// expect(g++): input \'x\': text is given, it takes numbers; give ranges of float, or a tensor [batch, 4]
// expect(clang): "input \'x\': text is given, it takes"
#include <tenon/tenon.hpp>

#include <string>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<4>>, node<"y", linear<3>, "x">, output<"y">>;
#ifdef MISTAKE
auto use(inference<model>& run, const std::vector<std::string>& cells) { return run(cells); }
#else
auto use(inference<model>& run, const std::vector<std::vector<float>>& cells) { return run(cells); }
#endif
