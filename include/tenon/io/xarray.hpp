// Tensors of files as xt::xarray<T>.
#pragma once

#if __has_include(<xtensor/core/xshape.hpp>)
#  include <xtensor/core/xshape.hpp>
#else
#  include <xtensor/xshape.hpp>
#endif

#include <cstddef>

#if defined(__clang__) && __clang_major__ >= 19
// xtensor 0.24 has two partial specializations for this type. clang 19 accepts neither of them (CWG 2398), and so
// compiles no xt::xarray. This can go when xtensor 0.24 is no longer supported.
template <>
struct xt::rebind_container<std::ptrdiff_t, xt::dynamic_shape<std::size_t>> {
  using type = xt::dynamic_shape<std::ptrdiff_t>;
};
#endif

#if __has_include(<xtensor/containers/xarray.hpp>)
#  include <xtensor/containers/xarray.hpp>
#else
#  include <xtensor/xarray.hpp>
#endif

#include "tenon/io/file.hpp"
#include "tenon/tensor/named_tensor.hpp"

#include <concepts>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace tenon::inline v0_1 {

namespace detail {

template <class Stored, class T>
void read_whole_as(const io::named_tensor& tensor, T* to) {
  for (std::size_t k = 0; k < tensor.size(); ++k) {
    Stored stored;
    std::memcpy(&stored, static_cast<const std::byte*>(tensor.data) + k * sizeof stored, sizeof stored);
    if (!std::in_range<T>(stored))
      throw_data_error(tensor.name, {"element ", k, " is ", stored, ", which does not fit into ",
                                     name_of(io::dtype_of<T>)});
    to[k] = static_cast<T>(stored);
  }
}
template <class T>
void read_whole(const io::named_tensor& tensor, T* to) {
  switch (tensor.type) {
    case io::dtype::boolean:
    case io::dtype::uint8:
      return read_whole_as<std::uint8_t>(tensor, to);
    case io::dtype::int8:
      return read_whole_as<std::int8_t>(tensor, to);
    case io::dtype::int16:
      return read_whole_as<std::int16_t>(tensor, to);
    case io::dtype::uint16:
      return read_whole_as<std::uint16_t>(tensor, to);
    case io::dtype::int32:
      return read_whole_as<std::int32_t>(tensor, to);
    case io::dtype::uint32:
      return read_whole_as<std::uint32_t>(tensor, to);
    case io::dtype::int64:
      return read_whole_as<std::int64_t>(tensor, to);
    case io::dtype::uint64:
      return read_whole_as<std::uint64_t>(tensor, to);
    default:
      return;  // refused before
  }
}
// Throws data_error if numbers of the type cannot be read as T.
template <class T>
void check_readable(const std::string& name, io::dtype type) {
  if constexpr (std::same_as<T, bool>) {
    if (type != io::dtype::boolean) throw_data_error(name, {"holds ", name_of(type), ", expected bool"});
  } else if constexpr (!std::floating_point<T>) {
    if (is_floating_point(type))
      throw_data_error(name,
                       {"holds ", name_of(type), ", expected whole numbers; read it as float or double"});
  }
}

}  // namespace detail

namespace io {

// A copy. All types convert to float and double. Integers accept the types whose numbers fit, bool only bool; otherwise
// throws data_error, which names the tensor and the element.
template <class T>
xt::xarray<T> to_xarray(const named_tensor& tensor) {
  static_assert(std::is_arithmetic_v<T>);
  detail::check_readable<T>(tensor.name, tensor.type);
  xt::xarray<T> result(typename xt::xarray<T>::shape_type(tensor.shape.begin(), tensor.shape.end()));
  if constexpr (std::floating_point<T>) {
    read_numbers(tensor, 0, tensor.size(), result.data());
  } else if constexpr (std::same_as<T, bool>) {
    for (std::size_t k = 0; k < tensor.size(); ++k)
      result.data()[k] = static_cast<const std::byte*>(tensor.data)[k] != std::byte{0};
  } else {
    detail::read_whole(tensor, result.data());
  }
  return result;
}

}  // namespace io

}  // namespace tenon::inline v0_1
