// An input of a const session.
// expect(g++): the session is const, and the call changes it; pass one that is not const
// expect(clang): "the session is const, and the call"
// expect(clang): "changes it; pass one that is not"
// expect(clang): "const"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<4>>, node<"y", linear<3>, "x">, output<"y">>;
#ifdef MISTAKE
void use(const inference<model>& run, const std::vector<float>& x) { set_input<"x">(run, x); }
#else
void use(inference<model>& run, const std::vector<float>& x) { set_input<"x">(run, x); }
#endif
