// A share where the positions of rows stand.
// expect(g++): standardizer takes rows, a vector of numbers, of arrays or of vectors of numbers, or an xtensor [rows, numbers] of float or double, and the positions of those to learn from, standardizer(rows, seen); or mean and deviation, two std::vector<double>
// expect(clang): standardizer takes rows, a vector of numbers, of arrays or of vectors of numbers, or an xtensor [rows, numbers] of float or double, and the positions of those to learn from, standardizer(rows, seen); or mean and deviation, two std::vector<double>
#include <tenon/data/standardizer.hpp>

#include <vector>

using namespace tenon;

const std::vector<float> prices{210, 340};
#ifdef MISTAKE
const standardizer scale(prices, 0.5);
#else
const standardizer scale(prices, {0, 1});
#endif
