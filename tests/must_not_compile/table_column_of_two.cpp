// Two columns of a table at once.
// expect(g++): table_column takes the rows of read_table and a column, its name in the header or its number from 0, as in io::table_column<float>(rows, \"price\"); behind it maybe a vocabulary; or the rows and a function that takes a const io::table_row& and compiles with it
// expect(clang): table_column takes the rows of read_table and a column, its name in the header or its number from 0, as in io::table_column<float>(rows, "price"); behind it maybe a vocabulary; or the rows and a function that takes a const io::table_row& and compiles with it
#include <tenon/tenon.hpp>

#include <array>

using namespace tenon;

const auto rows = io::read_table("houses.csv", 3, {.has_header = true});
#ifdef MISTAKE
const auto sizes = io::table_column<float>(rows, "rooms", "area");
#else
const auto sizes = io::table_column(rows, [](const io::table_row& row) {
  return std::array{row.number("rooms"), row.number("area")};
});
#endif
