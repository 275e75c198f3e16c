// A character where a column has its name.
// expect(g++): the name of a column is not a character, a number or a variable; write it in double quotes: column<\"name\">(values)
// expect(clang): error: the name of a column is not a character, a number or a variable; write it in double quotes: column<"name">(values)
#include <tenon/tenon.hpp>

#include <array>

using namespace tenon;

auto use() {
#ifdef MISTAKE
  return data_set(column<'x'>(9, [](int) { return std::array<float, 8>{}; }));
#else
  return data_set(column<"x">(9, [](int) { return std::array<float, 8>{}; }));
#endif
}
