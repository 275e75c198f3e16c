// The position of a column where its name stands.
// expect(g++): the name of a column is not a character, a number or a variable; write it in double quotes: column<\"name\">(values)
// expect(clang): error: the name of a column is not a character, a number or a variable; write it in double quotes: column<"name">(values)
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;

#ifdef MISTAKE
auto use(const std::vector<int>& tokens) { return column<0>(tokens); }
#else
auto use(const std::vector<int>& tokens) { return column<"x">(tokens); }
#endif
