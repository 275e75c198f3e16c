// A name more than columns.
// expect(g++): write_table: the file has 3 names and 2 columns; give a column for each name
// expect(clang): "write_table: the file has 3 names
#include <tenon/data/write_table.hpp>

#include <string>
#include <vector>

using namespace tenon;

void use(const std::vector<std::string>& cities, const std::vector<float>& prices,
         [[maybe_unused]] const std::vector<float>& answers) {
#ifdef MISTAKE
  io::write_table("answers.csv", {"city", "price", "predicted"}, cities, prices);
#else
  io::write_table("answers.csv", {"city", "price", "predicted"}, cities, prices, answers);
#endif
}
