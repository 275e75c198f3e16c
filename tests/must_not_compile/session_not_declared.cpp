// A number for a session, with which g++ goes on after an error in the session's type.
// expect(g++): the first argument is an int, not a session; if it is to be one, mend the first error above; write set_input<\"name\">(session, value)
// expect(clang): "the first argument is an int, not"
// expect(clang): "a session; if it is to be one,"
// expect(clang): "mend the first error above; write"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, output<"y">>;
#ifdef MISTAKE
using session = int;
#else
using session = inference<model>;
#endif
void give(session& run, const std::vector<float>& x) { set_input<"x">(run, x); }
