// The name of a column as an argument.
// expect(g++): a column has its name in angle brackets: write column<\"name\">(values)
// expect(clang): error: a column has its name in angle brackets: write column<"name">(values)
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;

#ifdef MISTAKE
auto use(const std::vector<int>& tokens) { return column("x", tokens); }
#else
auto use(const std::vector<int>& tokens) { return column<"x">(tokens); }
#endif
