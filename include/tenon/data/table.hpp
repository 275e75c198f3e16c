// read_table: the rows of a text file of separated values, CSV (RFC 4180) or TSV.
#pragma once

#include "tenon/data/table_row.hpp"
#include "tenon/diagnostics/input_error.hpp"
#include "tenon/diagnostics/wrong_call.hpp"
#include "tenon/io/file.hpp"

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tenon::inline v0_1 {

namespace io {

struct table_options {
  char separator = ',';      // between fields; '\t' for TSV
  bool quoted = true;        // a field may be quoted; false: quotation marks are ordinary characters
  bool has_header = false;   // the first row names the columns, and is not returned
  bool allow_empty = false;  // a field may have no characters
};
#define TENON_MEMBERS_OF_TABLE_OPTIONS ".separator, .quoted, .has_header, .allow_empty"

}  // namespace io

namespace detail {

class table_reader {
 public:
  table_reader(const std::string& path, const io::table_options& options);
  table_reader(const table_reader&) = delete;
  table_reader& operator=(const table_reader&) = delete;

  bool at_end() const { return rest_.empty(); }

  // The first row, which names the columns.
  void take_header(std::size_t fields) { file_->header = take_row(fields).fields; }
  // The next row, which has this many fields.
  io::table_row take_row(std::size_t fields);

 private:
  // Reads up to the separator or the line break.
  std::string take_unquoted();

  // Reads between quotation marks, where "" is one mark, and separators and line breaks are ordinary characters.
  std::string take_quoted();

  [[noreturn]] void fail_count(const io::table_row& row, std::size_t fields) const;
  [[noreturn]] void fail_in_field(long line, std::initializer_list<message_part> problem) const;
  static std::string shown(char c);

  const std::string& path_;
  const std::shared_ptr<table_file> file_;
  const io::table_options& options_;
  const std::string text_;
  std::string_view rest_;  // not read yet
  long line_ = 1;          // where the rest begins
  std::size_t field_ = 0;  // which field of the row is being read, from 1
};

}  // namespace detail

namespace io {

// All rows; each has `fields` fields. A field in quotation marks may hold separators, line breaks, and "" for one mark.
// Lines end with LF or CR LF; the last one may also end with the file. A byte order mark of UTF-8 is skipped. Throws
// data_error, which names file and line, for everything else: a missing or an empty file, another number of fields, an
// empty field, quotation marks out of place, a zero byte.
std::vector<table_row> read_table(const std::string& path, std::size_t fields,
                                  const table_options& options = {});
#define TENON_SENTENCE                                                                               \
  "read_table takes a path, the number of fields, then options by their names in this order, as in " \
  "io::read_table(path, 3, {.separator = ';'}): " TENON_MEMBERS_OF_TABLE_OPTIONS
template <class Rows = std::vector<io::table_row> TENON_AND_SAYS(TENON_SENTENCE)>
Rows read_table(...) TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

}  // namespace io

}  // namespace tenon::inline v0_1

#ifndef TENON_COMPILED
#  include "tenon/data/table.ipp"
#endif
