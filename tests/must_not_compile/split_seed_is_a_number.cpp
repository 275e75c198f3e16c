// A number for the seed.
// expect(g++): split takes data, a number of rows or a vector with the group of each row, the share to hold out or a share for each part in braces, and the seed, as in split(data, {0.8, 0.1, 0.1}, seed{1})
// expect(clang): split takes data, a number of rows or a vector with the group of each row, the share to hold out or a share for each part in braces, and the seed, as in split(data, {0.8, 0.1, 0.1}, seed{1})
#include <tenon/tenon.hpp>

#include <cstddef>

using namespace tenon;

std::size_t use() {
#ifdef MISTAKE
  const auto [rest, held_out] = split(90, 0.1, 1);
#else
  const auto [rest, held_out] = split(90, 0.1, seed{1});
#endif
  return rest.size() + held_out.size();
}
