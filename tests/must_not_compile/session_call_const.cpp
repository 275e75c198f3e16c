// A call of a const session.
// expect(g++): the session is const, and a run changes it; pass one that is not const
// expect(clang): error: the session is const, and a run changes it; pass one that is not const
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<4>>, node<"y", linear<3>, "x">, output<"y">>;
#ifdef MISTAKE
auto use(const inference<model>& run, const std::vector<float>& x) { return run(x); }
#else
auto use(inference<model>& run, const std::vector<float>& x) { return run(x); }
#endif
