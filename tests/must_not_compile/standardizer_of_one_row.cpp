// One row where rows stand.
// expect(g++): a standardizer takes rows, a vector of numbers, of arrays or of vectors of numbers, or an xtensor [rows, numbers] of float or double, scale(rows); one row, a number, an array, a vector or an xtensor [numbers], is scale.row(row)
// expect(clang): a standardizer takes rows, a vector of numbers, of arrays or of vectors of numbers, or an xtensor [rows, numbers] of float or double, scale(rows); one row, a number, an array, a vector or an xtensor [numbers], is scale.row(row)
#include <tenon/data/standardizer.hpp>

#include <array>

using namespace tenon;

auto use(const standardizer& scale) {
  const std::array house{120.0f, 10.0f, 4.0f};
#ifdef MISTAKE
  const auto scaled = scale(house);
#else
  const auto scaled = scale.row(house);
#endif
  return scaled;
}
