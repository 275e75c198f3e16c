// A column of a table by its name.
// expect(g++): table_column takes the rows of read_table and the number of a field, from 0, as in io::table_column<float>(rows, 2); behind it maybe a vocabulary; or the rows and a function of one row
// expect(clang): table_column takes the rows of read_table and the number of a field, from 0, as in io::table_column<float>(rows, 2); behind it maybe a vocabulary; or the rows and a function of one row
#include <tenon/tenon.hpp>

using namespace tenon;

const auto rows = io::read_table("houses.csv", 3, {.has_header = true});
#ifdef MISTAKE
const auto prices = io::table_column<float>(rows, "price");
#else
const auto prices = io::table_column<float>(rows, 2);
#endif
