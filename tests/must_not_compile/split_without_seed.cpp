// Shares without a seed.
// expect(g++): split takes data, a number of rows or a vector with the group of each row, the share to hold out or a share for each part in braces, and the seed, as in split(data, {0.8, 0.1, 0.1}, seed{1})
// expect(clang): split takes data, a number of rows or a vector with the group of each row, the share to hold out or a share for each part in braces, and the seed, as in split(data, {0.8, 0.1, 0.1}, seed{1})
#include <tenon/tenon.hpp>

#include <array>

using namespace tenon;

auto rows() {
  return data_set(column<"x">(90, [](int) { return std::array<float, 8>{}; }),
                  column<"target">(90, [](int r) { return r % 4; }));
}
int use() {
#ifdef MISTAKE
  const auto [train, validation, test] = split(rows(), {0.8, 0.1, 0.1});
#else
  const auto [train, validation, test] = split(rows(), {0.8, 0.1, 0.1}, seed{1});
#endif
  return train.size() + validation.size() + test.size();
}
