// io::read_table<T>: a text file of numbers, CSV or TSV, as an array [rows, fields].
#pragma once

#include "tenon/data/table.hpp"
#include "tenon/io/xarray.hpp"

#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace tenon::inline v0_1::io {

// The table as read_table without a type reads it; each field is a number. Throws data_error, which names file, line
// and field, for a field that is not a number. With {.allow_empty = true} an empty field of float or double is NaN.
template <class T>
xt::xarray<T> read_table(const std::string& path, std::size_t fields, const table_options& options = {}) {
  const std::vector<table_row> rows = read_table(path, fields, options);
  xt::xarray<T> numbers = xt::xarray<T>::from_shape({rows.size(), fields});
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t f = 0; f < fields; ++f)
      if (std::is_floating_point_v<T> && options.allow_empty)
        numbers(r, f) = rows[r].template number<T>(f, std::numeric_limits<T>::quiet_NaN());
      else numbers(r, f) = rows[r].template number<T>(f);
  return numbers;
}
#define TENON_SENTENCE                                                                               \
  "read_table takes a path, the number of fields, then options by their names in this order, as in " \
  "io::read_table<float>(path, 3, {.separator = ';'}): " TENON_MEMBERS_OF_TABLE_OPTIONS
template <class T TENON_AND_SAYS(TENON_SENTENCE)>
xt::xarray<T> read_table(...) TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

}  // namespace tenon::inline v0_1::io
