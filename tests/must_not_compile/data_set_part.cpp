// Rows of a data set by what is no position.
// expect(g++): \'std::vector<double>\' cannot select rows of a data set; give their positions, a range of whole numbers
// expect(clang): "\'std::vector<double>\' cannot"
// expect(clang): "select rows of a data set; give"
// expect(clang): "their positions, a range of whole"
// expect(clang): "numbers"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;

void use(const std::vector<int>& x, const std::vector<int>& rows, const std::vector<double>& shares) {
  const auto data = data_set(column<"x">(x));
#ifdef MISTAKE
  (void)data.part(shares), (void)rows;
#else
  (void)data.part(rows), (void)shares;
#endif
}
