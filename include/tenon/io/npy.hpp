// NumPy's array files: io::read_npy<float>("x.npy") is an xt::xarray<float>;
// io::write_npy("x.npy", x) writes a tensor expression.
#pragma once

#include "tenon/io/mapped_file.hpp"
#include "tenon/io/npy_format.hpp"
#include "tenon/io/tensor_copy.hpp"
#include "tenon/io/xarray.hpp"

#include <string>

namespace tenon::inline v0_1::io {

// Throws data_error, which names the file, if it is malformed, cut off or holds anything but numbers, or
// if numbers do not fit into T: see io::to_xarray. Fortran's order and big-endian numbers are converted
// to C order and the machine's own.
template <class T>
xt::xarray<T> read_npy(const std::string& path) {
  const detail::mapped_file file(path);
  return to_xarray<T>(detail::parse_npy(path, file.bytes()).tensor);
}

// Writes bool, integers of up to 64 bits, float or double. An old file is replaced as a whole. Throws
// data_error if the file cannot be written.
template <concepts::TensorExpression E>
void write_npy(const std::string& path, const E& array) {
  const detail::evaluated<E> numbers(path, array);
  const std::string head = detail::npy_head(numbers.tensor.type, numbers.tensor.shape);
  detail::file_replacement file(path);
  file.write(head.data(), head.size());
  file.write(numbers.tensor.data, numbers.tensor.bytes());
  file.commit();
}

}  // namespace tenon::inline v0_1::io
