// Columns of a range that has no structs.
// alone: BOOST_HANA_ADAPT_STRUCT belongs to the global namespace
// expect(g++): \'std::vector<int>\' is no range of structs; give a vector of structs, or data_set(column<\"name\">(values), ..)
// expect(clang): "\'std::vector<int>\' is no range of"
// expect(clang): "structs; give a vector of structs,"
// expect(clang): "or"
// expect(clang): "data_set(column<\"name\">(values),"
// expect(clang): "..)"
#include <tenon/hana.hpp>
#include <tenon/tenon.hpp>

#include <array>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

struct flower {
  std::array<float, 4> measured;
};
BOOST_HANA_ADAPT_STRUCT(flower, measured);
void use(const std::vector<flower>& rows, const std::vector<int>& numbers) {
#ifdef MISTAKE
  (void)rows, columns_of(numbers);
#else
  (void)numbers, columns_of(rows);
#endif
}
