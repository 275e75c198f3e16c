// An option that read_table does not have.
// expect(g++): as in io::read_table(path, 3, {.separator = \';\'}): .separator, .quoted, .has_header, .allow_empty
// expect(clang): as in io::read_table(path, 3, {.separator = ';'}): .separator, .quoted, .has_header, .allow_empty
#include <tenon/tenon.hpp>

using namespace tenon;

#ifdef MISTAKE
const auto rows = io::read_table("prices.csv", 3, {.seperator = ';'});
#else
const auto rows = io::read_table("prices.csv", 3, {.separator = ';'});
#endif
