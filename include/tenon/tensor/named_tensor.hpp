// io::named_tensor: a tensor of a file, without its memory: a name, the type of its numbers, its shape, and their
// address. The type is known only at run time; `read_numbers` converts to float or double.
#pragma once

#include "tenon/tensor/bfloat16.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tenon::inline v0_1 {

static_assert(std::endian::native == std::endian::little,
              "files hold little-endian numbers, and Tenon does not swap them: there is no form for "
              "big-endian processors");

namespace io {

// In the order of safetensors, by alignment; a file has the last ones first.
enum class dtype : unsigned char {
  boolean,
  uint8,
  int8,
  int16,
  uint16,
  float16,
  bfloat16,
  int32,
  uint32,
  float32,
  float64,
  int64,
  uint64
};

}  // namespace io

namespace detail {

constexpr std::size_t size_of(io::dtype type) {
  switch (type) {
    case io::dtype::boolean:
    case io::dtype::uint8:
    case io::dtype::int8:
      return 1;
    case io::dtype::int16:
    case io::dtype::uint16:
    case io::dtype::float16:
    case io::dtype::bfloat16:
      return 2;
    case io::dtype::int32:
    case io::dtype::uint32:
    case io::dtype::float32:
      return 4;
    default:
      return 8;
  }
}
constexpr bool is_floating_point(io::dtype type) {
  return type == io::dtype::float16 || type == io::dtype::bfloat16 || type == io::dtype::float32 ||
         type == io::dtype::float64;
}
// The type's name in PyTorch and NumPy: "float32", "bool".
constexpr std::string_view name_of(io::dtype type) {
  constexpr std::string_view names[] = {"bool",    "uint8",    "int8",  "int16",  "uint16",
                                        "float16", "bfloat16", "int32", "uint32", "float32",
                                        "float64", "int64",    "uint64"};
  return names[static_cast<std::size_t>(type)];
}

template <class T>
constexpr io::dtype find_dtype() {
  if constexpr (std::is_same_v<T, bool>) return io::dtype::boolean;
  else if constexpr (std::is_same_v<T, float>) return io::dtype::float32;
  else if constexpr (std::is_same_v<T, double>) return io::dtype::float64;
  else {
    static_assert(std::is_integral_v<T> && sizeof(T) <= 8,
                  "tensors of files hold bool, integers of up to 64 bits, float or double");
    constexpr bool is_signed = std::is_signed_v<T>;
    if constexpr (sizeof(T) == 1) return is_signed ? io::dtype::int8 : io::dtype::uint8;
    else if constexpr (sizeof(T) == 2) return is_signed ? io::dtype::int16 : io::dtype::uint16;
    else if constexpr (sizeof(T) == 4) return is_signed ? io::dtype::int32 : io::dtype::uint32;
    else return is_signed ? io::dtype::int64 : io::dtype::uint64;
  }
}
}  // namespace detail
namespace io {

// The type of C++'s T, which is bool, an integer, float or double.
template <class T>
inline constexpr dtype dtype_of = detail::find_dtype<std::remove_cv_t<T>>();

}  // namespace io

namespace detail {
// The product of the extents and the size of a number; empty if it is 2^64 or more.
inline std::optional<std::uint64_t> checked_bytes(const std::vector<std::size_t>& shape, io::dtype type) {
  std::uint64_t bytes = size_of(type);
  for (const std::size_t extent : shape)
    if (__builtin_mul_overflow(bytes, std::uint64_t{extent}, &bytes)) return {};
  return bytes;
}
}  // namespace detail

namespace io {

struct named_tensor {
  std::string name{};
  dtype type = dtype::float32;
  std::vector<std::size_t> shape{};
  const void* data = nullptr;  // C order, little-endian; in a file it may be unaligned

  std::size_t size() const {
    std::size_t n = 1;
    for (const std::size_t extent : shape) n *= extent;
    return n;
  }
  std::size_t bytes() const { return size() * detail::size_of(type); }
};

}  // namespace io

namespace detail {

// "[64, 8]"
inline std::string shape_text(const std::vector<std::size_t>& shape) {
  std::string text = "[";
  for (const std::size_t extent : shape)
    text.append(text.size() > 1 ? ", " : "").append(std::to_string(extent));
  return text + "]";
}

inline float from_bits(std::uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
// Converts IEEE 754 binary16 exactly.
inline float from_float16(std::uint16_t bits) {
  const std::uint32_t sign = std::uint32_t{bits & 0x8000u} << 16, magnitude = bits & 0x7fffu;
  const float value = magnitude >= 0x7c00u   ? from_bits(0x7f800000u | magnitude << 13)  // infinite or NaN
                      : magnitude >= 0x0400u ? from_bits((magnitude << 13) + (112u << 23))
                                             : static_cast<float>(magnitude) * 0x1p-24f;
  std::uint32_t all;
  std::memcpy(&all, &value, sizeof all);
  return from_bits(all | sign);
}

template <class Stored, class T, class F>
void read_numbers_as(const std::byte* from, std::size_t count, T* to, F value) {
  for (std::size_t k = 0; k < count; ++k) {
    Stored stored;
    std::memcpy(&stored, from + k * sizeof stored, sizeof stored);
    to[k] = static_cast<T>(value(stored));
  }
}
template <class T>
void read_numbers_of(const io::named_tensor& tensor, std::size_t first, std::size_t count, T* to) {
  const std::byte* const from = static_cast<const std::byte*>(tensor.data) + first * size_of(tensor.type);
  const auto same = [](auto x) { return x; };
  if (tensor.type == io::dtype_of<T>) {
    if (count > 0) std::memcpy(to, from, count * sizeof(T));
    return;
  }
  switch (tensor.type) {
    case io::dtype::boolean:
      return read_numbers_as<std::uint8_t>(from, count, to, [](auto x) { return x != 0; });
    case io::dtype::uint8:
      return read_numbers_as<std::uint8_t>(from, count, to, same);
    case io::dtype::int8:
      return read_numbers_as<std::int8_t>(from, count, to, same);
    case io::dtype::int16:
      return read_numbers_as<std::int16_t>(from, count, to, same);
    case io::dtype::uint16:
      return read_numbers_as<std::uint16_t>(from, count, to, same);
    case io::dtype::float16:
      return read_numbers_as<std::uint16_t>(from, count, to, from_float16);
    case io::dtype::bfloat16:
      return read_numbers_as<bfloat16>(from, count, to, same);
    case io::dtype::int32:
      return read_numbers_as<std::int32_t>(from, count, to, same);
    case io::dtype::uint32:
      return read_numbers_as<std::uint32_t>(from, count, to, same);
    case io::dtype::float32:
      return read_numbers_as<float>(from, count, to, same);
    case io::dtype::float64:
      return read_numbers_as<double>(from, count, to, same);
    case io::dtype::int64:
      return read_numbers_as<std::int64_t>(from, count, to, same);
    case io::dtype::uint64:
      return read_numbers_as<std::uint64_t>(from, count, to, same);
  }
}

}  // namespace detail

namespace io {

// to[k] = tensor[first + k], `count` numbers in C order, converted: a number that does not fit T
// is rounded, or becomes infinite.
inline void read_numbers(const named_tensor& tensor, std::size_t first, std::size_t count, float* to) {
  detail::read_numbers_of(tensor, first, count, to);
}
inline void read_numbers(const named_tensor& tensor, std::size_t first, std::size_t count, double* to) {
  detail::read_numbers_of(tensor, first, count, to);
}

}  // namespace io

}  // namespace tenon::inline v0_1
