// Columns without their names.
// expect(g++): write_table takes a path, the names of the columns in braces, and a vector of numbers or of texts for each, as in io::write_table(\"prices.csv\", {\"city\", \"price\"}, cities, prices)
// expect(clang): write_table takes a path, the names of the columns in braces, and a vector of numbers or of texts for each, as in io::write_table("prices.csv", {"city", "price"}, cities, prices)
#include <tenon/data/write_table.hpp>

#include <string>
#include <vector>

using namespace tenon;

void use(const std::vector<std::string>& cities, const std::vector<float>& prices) {
#ifdef MISTAKE
  io::write_table("answers.csv", cities, prices);
#else
  io::write_table("answers.csv", {"city", "price"}, cities, prices);
#endif
}
