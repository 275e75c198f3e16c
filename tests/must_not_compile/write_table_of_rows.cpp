// Rows of several numbers where a column stands.
// expect(g++): write_table: column 1, counted from 0, is not a range of numbers or of texts; give a std::vector of numbers or of std::string
// expect(clang): "write_table: column 1, counted"
// expect(clang): "from 0, is not a range of numbers"
// expect(clang): "or of texts; give a std::vector of"
// expect(clang): "numbers or of std::string, an"
// expect(clang): "element for each row"
#include <tenon/data/write_table.hpp>

#include <string>
#include <vector>

using namespace tenon;

void use(const std::vector<std::string>& cities, [[maybe_unused]] const std::vector<float>& prices,
         [[maybe_unused]] const std::vector<std::vector<float>>& answers) {
#ifdef MISTAKE
  io::write_table("answers.csv", {"city", "predicted"}, cities, answers);
#else
  io::write_table("answers.csv", {"city", "predicted"}, cities, prices);
#endif
}
