// The values of a column in braces.
// expect(g++): column<\"name\"> takes a vector, a tensor with its lengths, or a number of rows and a function of a row; values in braces have no type: write std::vector{1, 2}
// expect(clang): error: column<"name"> takes a vector, a tensor with its lengths, or a number of rows and a function of a row; values in braces have no type: write std::vector{1, 2}
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;

#ifdef MISTAKE
auto use() { return column<"x">({1, 2, 3}); }
#else
auto use() { return column<"x">(std::vector{1, 2, 3}); }
#endif
