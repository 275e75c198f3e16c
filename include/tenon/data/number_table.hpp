// io::read_table<T>: a text file of numbers, CSV or TSV, as an array [rows, fields].
#pragma once

#include "tenon/data/table.hpp"
#include "tenon/io/xarray.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace tenon::io {

// The table that read_table without a type reads, each of whose fields is a number. Throws data_error, which names file, line and field, for one
// that is none.
template <class T>
xt::xarray<T> read_table(const std::string& path, std::size_t fields, const table_options& options = {}) {
  const std::vector<table_row> rows = read_table(path, fields, options);
  xt::xarray<T> numbers = xt::xarray<T>::from_shape({rows.size(), fields});
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t f = 0; f < fields; ++f) numbers(r, f) = rows[r].template number<T>(f);
  return numbers;
}

}  // namespace tenon::io
