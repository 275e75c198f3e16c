// read_table: a text file of comma-separated lines, without quoting, as rows of a fixed number of fields.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tenon {

// A data file is missing or malformed; the message names the file and, where there is one, the line.
struct data_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

namespace detail {
// All bytes of a file. C's functions: <fstream> is a fifth of what including all of Tenon costs.
inline std::string read_file(const std::string& path) {
  struct opened {
    std::FILE* file;
    ~opened() {
      if (file != nullptr) std::fclose(file);
    }
  } const from{std::fopen(path.c_str(), "rb")};
  if (from.file == nullptr) throw data_error(path + ": cannot be opened");
  std::string all;
  char some[1 << 14];
  errno = 0;
  while (const std::size_t count = std::fread(some, 1, sizeof some, from.file)) all.append(some, count);
  if (std::ferror(from.file))  // of a directory, reading is what fails
    throw data_error(path + (errno == EISDIR ? ": is a directory" : ": cannot be read to its end"));
  return all;
}
}  // namespace detail

struct table_row {
  std::vector<std::string> fields;
  long line = 0;  // in the file, from 1
};

// Every line has `fields` non-empty fields, which are not quoted. A byte order mark of UTF-8 is skipped. An
// empty file is an error, as is a line that differs or has a quotation mark or a zero byte: data_error names it.
inline std::vector<table_row> read_table(const std::string& path, std::size_t fields) {
  const std::string all = detail::read_file(path);
  std::vector<table_row> rows;
  std::size_t next = 0;
  for (long line = 1; next < all.size(); ++line) {
    const std::size_t end = std::min(all.find('\n', next), all.size());
    std::string text = all.substr(next, end - next);
    next = end + 1;
    const std::string place = path + ":" + std::to_string(line) + ": ";
    if (line == 1 && text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
    if (!text.empty() && text.back() == '\r') text.pop_back();
    if (text.find('\0') != std::string::npos)
      throw data_error(place + "a zero byte: this is no text in UTF-8 or ASCII");
    table_row row{{}, line};
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t comma = std::min(text.find(',', at), text.size());
      row.fields.push_back(text.substr(at, comma - at));
      at = comma + 1;
      if (row.fields.back().find('"') != std::string::npos)
        throw data_error(place + "field " + std::to_string(row.fields.size()) +
                         " has a quotation mark, and quoted fields are not read");
    }
    if (row.fields.size() != fields)
      throw data_error(place + "expected " + std::to_string(fields) + " fields, got " +
                       std::to_string(row.fields.size()));
    for (std::size_t f = 0; f < fields; ++f)
      if (row.fields[f].empty()) throw data_error(place + "field " + std::to_string(f + 1) + " is empty");
    rows.push_back(std::move(row));
  }
  if (rows.empty()) throw data_error(path + ": the file has no lines");
  return rows;
}

}  // namespace tenon
