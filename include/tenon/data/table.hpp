// read_table: a text file of comma-separated lines, without quoting, as rows of a fixed number of fields.
#pragma once

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tenon {

// A data file is missing or malformed; the message names the file and, where there is one, the line.
struct data_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct table_row {
  std::vector<std::string> fields;
  long line = 0;  // in the file, from 1
};

// Every line has `fields` non-empty fields, which are not quoted. A byte order mark of UTF-8 is skipped. An
// empty file is an error, as is a line that differs or has a quotation mark or a zero byte: data_error names it.
inline std::vector<table_row> read_table(const std::string& path, std::size_t fields) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw data_error(path + ": cannot be opened");
  errno = 0;
  file.peek();  // of a directory, this is what fails
  if (file.bad()) throw data_error(path + (errno == EISDIR ? ": is a directory" : ": cannot be read"));
  std::vector<table_row> rows;
  std::string text;
  for (long line = 1; std::getline(file, text); ++line) {
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
  if (file.bad()) throw data_error(path + ": cannot be read to its end");
  if (rows.empty()) throw data_error(path + ": the file has no lines");
  return rows;
}

}  // namespace tenon
