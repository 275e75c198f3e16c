// Groups that cannot be compared.
// expect(g++): split takes data, a number of rows or a vector with the group of each row, the share to hold out or a share for each part in braces, and the seed, as in split(data, {0.8, 0.1, 0.1}, seed{1})
// expect(clang): split takes data, a number of rows or a vector with the group of each row, the share to hold out or a share for each part in braces, and the seed, as in split(data, {0.8, 0.1, 0.1}, seed{1})
#include <tenon/tenon.hpp>

#include <cstddef>
#include <string>
#include <vector>

using namespace tenon;

struct house {
  std::string city;
};
std::size_t use([[maybe_unused]] const std::vector<house>& houses,
                [[maybe_unused]] const std::vector<std::string>& cities) {
#ifdef MISTAKE
  const auto [rest, held_out] = split(houses, 0.1, seed{1});
#else
  const auto [rest, held_out] = split(cities, 0.1, seed{1});
#endif
  return rest.size() + held_out.size();
}
