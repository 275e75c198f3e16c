// Files of the IDX format, such as MNIST's images and labels (LeCun et al. 1998):
//   io::read_idx<float>("train-images-idx3-ubyte")                     an xt::xarray<float>
//   io::read_idx<float>("train-images-idx3-ubyte.gz", io::gzipped)     the same, packed; needs <tenon/io/deflate.hpp>
#pragma once

#include "tenon/io/file.hpp"
#include "tenon/io/xarray.hpp"
#include "tenon/tensor/named_tensor.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tenon::inline v0_1 {

namespace detail {

struct idx_array {
  io::named_tensor tensor;         // its numbers are in the machine's order
  std::vector<std::byte> ordered;  // the numbers, if the file has them in the other order
};
// A function that unpacks a file, or the first `most` bytes of what is packed; its result is empty if the file is
// malformed.
using unpacker = std::optional<std::vector<std::byte>> (*)(std::span<const std::byte> file);
using bounded_unpacker = std::optional<std::vector<std::byte>> (*)(std::span<const std::byte> file,
                                                                   std::size_t most);

// The type and the shape of an array, of `file`'s first bytes. Two zeros, a type, the number of extents; the extents, four
// bytes each; the numbers follow, all with their highest byte first. `where` names the bytes in messages, and the array.
inline constexpr std::size_t longest_idx_head = 4 + 4 * 255;
inline std::size_t idx_head(const io::named_tensor& tensor) { return 4 + 4 * tensor.shape.size(); }
inline io::named_tensor parse_idx_head(const std::string& where, std::span<const std::byte> file) {
  const auto byte = [&](std::size_t k) { return std::to_integer<unsigned>(file[k]); };
  if (file.size() >= 2 && byte(0) == 0x1f && byte(1) == 0x8b)
    throw_data_error(where,
                     {"is packed by gzip: unpack it, or write io::read_idx<float>(path, io::gzipped) with "
                      "<tenon/io/deflate.hpp>"});
  if (file.size() < 4 || byte(0) != 0 || byte(1) != 0)
    throw_data_error(where, {"is not an IDX file: it does not start with two zero bytes, a type and a rank"});
  const auto type = [&]() -> std::optional<io::dtype> {
    switch (byte(2)) {
      case 0x08:
        return io::dtype::uint8;
      case 0x09:
        return io::dtype::int8;
      case 0x0b:
        return io::dtype::int16;
      case 0x0c:
        return io::dtype::int32;
      case 0x0d:
        return io::dtype::float32;
      case 0x0e:
        return io::dtype::float64;
      default:
        return std::nullopt;
    }
  }();
  if (!type)
    throw_data_error(where,
                     {"has type ", byte(2), " of the IDX format; 8, 9, 11, 12, 13 and 14 can be read"});
  const std::size_t rank = byte(3), head = 4 + 4 * rank;
  if (file.size() < head) throw_data_error(where, {"is cut off: it ends within its ", rank, " extents"});
  io::named_tensor tensor{.name = where, .type = *type, .shape = {}, .data = nullptr};
  for (std::size_t k = 0; k < rank; ++k) {
    std::size_t extent = 0;
    for (std::size_t b = 0; b < 4; ++b) extent = extent << 8 | byte(4 + 4 * k + b);
    tensor.shape.push_back(extent);
  }
  return tensor;
}
inline idx_array parse_idx(const std::string& where, std::span<const std::byte> file) {
  idx_array array{.tensor = parse_idx_head(where, file), .ordered = {}};
  const io::named_tensor& tensor = array.tensor;
  const std::span<const std::byte> data = file.subspan(idx_head(tensor));
  const auto bytes = checked_bytes(tensor.shape, tensor.type);
  if (!bytes || *bytes != data.size())
    throw_data_error(where,
                     {"an array of shape ", shape_text(tensor.shape), " of ", name_of(tensor.type), " has ",
                      bytes ? std::to_string(*bytes) : "2^64 or more", " bytes, the file has ", data.size()});
  array.tensor.data = data.data();
  if (const std::size_t size = size_of(tensor.type); size > 1) {
    array.ordered.resize(data.size());
    for (std::size_t at = 0; at < data.size(); at += size)
      std::reverse_copy(data.begin() + static_cast<std::ptrdiff_t>(at),
                        data.begin() + static_cast<std::ptrdiff_t>(at + size),
                        array.ordered.begin() + static_cast<std::ptrdiff_t>(at));
    array.tensor.data = array.ordered.data();
  }
  return array;
}

}  // namespace detail

namespace io {

// The array of a file or a pipe; `unpack` unpacks a packed file. Throws data_error, which names the file, if it is
// malformed or cut off, or if numbers do not fit into T: see io::to_xarray.
template <class T>
xt::xarray<T> read_idx(const std::string& path, detail::unpacker unpack = nullptr) {
  const std::string file = detail::read_file(path);
  const std::span<const std::byte> bytes = std::as_bytes(std::span(file));
  if (unpack == nullptr) return to_xarray<T>(detail::parse_idx(path, bytes).tensor);
  const auto unpacked = unpack(bytes);
  if (!unpacked) detail::throw_data_error(path, {"cannot be unpacked: it is damaged, or of another format"});
  return to_xarray<T>(detail::parse_idx(path, *unpacked).tensor);
}
// The same, as with io::gzipped. A small packed file may claim more memory than there is: no more is unpacked than its
// array has, and one byte that shows whether the file has more.
template <class T>
xt::xarray<T> read_idx(const std::string& path, detail::bounded_unpacker unpack) {
  const std::string file = detail::read_file(path);
  const auto first_bytes = [&](std::size_t most) {
    auto unpacked = unpack(std::as_bytes(std::span(file)), most);
    if (!unpacked)
      detail::throw_data_error(path, {"cannot be unpacked: it is damaged, or of another format"});
    return std::move(*unpacked);
  };
  std::vector<std::byte> unpacked = first_bytes(detail::longest_idx_head);
  const named_tensor head = detail::parse_idx_head(path, unpacked);
  detail::check_readable<T>(path, head.type);
  if (const auto size = detail::checked_bytes(head.shape, head.type); size && *size < std::uint64_t{1} << 62)
    unpacked = first_bytes(detail::idx_head(head) + *size + 1);
  return to_xarray<T>(detail::parse_idx(path, unpacked).tensor);
}

}  // namespace io

}  // namespace tenon::inline v0_1
