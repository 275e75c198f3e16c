// The bytes of NumPy's array files (NEP 1, versions 1.0, 2.0 and 3.0 of the format):
//   \x93NUMPY, two bytes of version | the length of the header, 2 bytes or 4 | a Python dict of descr, fortran_order and
//   shape | the numbers
// without the arrays themselves, which npy.hpp and npz.hpp read and write.
#pragma once

#include "tenon/io/file.hpp"
#include "tenon/tensor/named_tensor.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tenon::inline v0_1::detail {

struct npy_header {
  io::dtype type = io::dtype::float64;
  bool is_big_endian = false, is_fortran_order = false;
  std::vector<std::size_t> shape{};
};

// Reads the dict: its three keys, in any order, each once.
class npy_header_reader {
 public:
  npy_header_reader(const std::string& where, std::string_view text) : where_(where), text_(text) {}

  npy_header read() {
    bool has_type = false, has_order = false, has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string_view key = quoted();
      expect(':');
      if (key == "descr" && !std::exchange(has_type, true)) read_type();
      else if (key == "fortran_order" && !std::exchange(has_order, true)) read_order();
      else if (key == "shape" && !std::exchange(has_shape, true)) read_shape();
      else fail({"its header has the key '", key, "' twice, or does not know it"});
      if (accept(',')) continue;
      expect('}');
      break;
    }
    skip_space();
    if (at_ != text_.size()) fail({"its header has text after its end"});
    if (!has_type || !has_order || !has_shape)
      fail({"its header has no '", !has_type ? "descr" : !has_order ? "fortran_order" : "shape", "'"});
    return std::move(header_);
  }

 private:
  const std::string& where_;
  std::string_view text_;
  std::size_t at_ = 0;
  npy_header header_{};

  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
      ++at_;
  }
  bool accept(char wanted) {
    skip_space();
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }
  void expect(char wanted) {
    if (!accept(wanted)) fail({"its header lacks a '", std::string_view(&wanted, 1), "' at character ", at_});
  }
  bool accept_word(std::string_view word) {
    skip_space();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  std::string_view quoted() {
    skip_space();
    const char mark = at_ < text_.size() ? text_[at_] : '\0';
    if (mark != '\'' && mark != '"') fail({"its header has no string at character ", at_});
    const std::size_t first = ++at_;
    at_ = std::min(text_.find(mark, first), text_.size());
    if (at_ == text_.size()) fail({"its header ends within a string"});
    return text_.substr(first, at_++ - first);
  }
  void read_type() {
    skip_space();
    if (at_ < text_.size() && text_[at_] == '[')
      fail({"holds records of several fields; save each field as an array of its own"});
    const std::string_view descr = quoted();
    constexpr std::pair<std::string_view, io::dtype> known[] = {
        {"b1", io::dtype::boolean}, {"u1", io::dtype::uint8},   {"u2", io::dtype::uint16},
        {"u4", io::dtype::uint32},  {"u8", io::dtype::uint64},  {"i1", io::dtype::int8},
        {"i2", io::dtype::int16},   {"i4", io::dtype::int32},   {"i8", io::dtype::int64},
        {"f2", io::dtype::float16}, {"f4", io::dtype::float32}, {"f8", io::dtype::float64}};
    const char order = descr.empty() ? '\0' : descr[0];
    const auto* const found = std::find_if(std::begin(known), std::end(known), [&](const auto& k) {
      return !descr.empty() && descr.substr(1) == k.first;
    });
    const bool is_ordered = order == '<' || order == '>' ||
                            (order == '|' && found != std::end(known) && size_of(found->second) == 1);
    if (found == std::end(known) || !is_ordered)
      fail({"holds numbers of type '", descr,
            "'; bool, int8 to int64, uint8 to uint64, float16, float32 and float64 can be read"});
    header_.type = found->second;
    header_.is_big_endian = order == '>';
  }
  void read_order() {
    header_.is_fortran_order = accept_word("True");
    if (!header_.is_fortran_order && !accept_word("False"))
      fail({"fortran_order in its header is not True or False"});
  }
  void read_shape() {
    expect('(');
    while (!accept(')')) {
      header_.shape.push_back(extent());
      if (accept(',')) continue;
      expect(')');
      if (header_.shape.size() == 1) fail({"the shape in its header is a number, not a tuple"});
      break;
    }
  }
  std::size_t extent() {
    skip_space();
    const std::size_t first = at_;
    std::size_t value = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_)
      if (__builtin_mul_overflow(value, std::size_t{10}, &value) ||
          __builtin_add_overflow(value, static_cast<std::size_t>(text_[at_] - '0'), &value))
        fail({"the shape in its header has 2^64 elements or more"});
    if (at_ == first) fail({"the shape in its header has no whole number at character ", at_});
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // written by Python 2
    return value;
  }
  [[noreturn, gnu::cold, gnu::noinline]] void fail(std::initializer_list<message_part> problem) const {
    throw_data_error(where_, problem);
  }
};

// An array of a file: its numbers are in the file, or in `ordered` if the file has them in another order.
struct npy_array {
  io::named_tensor tensor;
  std::vector<std::byte> ordered{};
};

// Converts Fortran's order to C order, and big-endian numbers to little-endian.
inline std::vector<std::byte> ordered_numbers(const npy_header& header, const std::byte* from,
                                              std::size_t bytes) {
  std::vector<std::byte> result(bytes);
  const std::size_t size = size_of(header.type), rank = header.shape.size();
  std::vector<std::size_t> strides(rank, size), index(rank, 0);
  for (std::size_t k = 1; k < rank; ++k) strides[k] = strides[k - 1] * header.shape[k - 1];
  std::size_t offset = 0;
  for (std::size_t to = 0; to < bytes; to += size) {
    const std::byte* const number = from + (header.is_fortran_order ? offset : to);
    if (header.is_big_endian)
      std::reverse_copy(number, number + size, result.begin() + static_cast<std::ptrdiff_t>(to));
    else std::memcpy(result.data() + to, number, size);
    if (!header.is_fortran_order) continue;
    for (std::size_t k = rank; k-- > 0;) {  // the last index changes fastest
      offset += strides[k];
      if (++index[k] < header.shape[k]) break;
      offset -= strides[k] * header.shape[k];
      index[k] = 0;
    }
  }
  return result;
}

// The header of an array, and where its numbers start, which must be `size` bytes in all. Only the header itself has to be
// in `file`.
struct located_npy_header {
  npy_header header;
  std::size_t end = 0;
};
inline located_npy_header parse_npy_header(const std::string& where, std::span<const std::byte> file,
                                           std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  constexpr std::string_view magic = "\x93NUMPY";
  if (!text.starts_with(magic) || file.size() < 8)
    throw_data_error(where, {"is not an npy file: it does not start with \\x93NUMPY"});
  const int major = static_cast<unsigned char>(text[6]), minor = static_cast<unsigned char>(text[7]);
  if (major < 1 || major > 3 || minor != 0)
    throw_data_error(where,
                     {"has version ", major, ".", minor, " of the npy format; 1.0, 2.0 and 3.0 can be read"});
  const std::size_t width = major == 1 ? 2 : 4;
  std::uint32_t length = 0;
  if (file.size() < 8 + width) throw_data_error(where, {"is cut off: it ends within its header"});
  std::memcpy(&length, file.data() + 8, width);
  if (length > file.size() - 8 - width)
    throw_data_error(where, {"is cut off: its header has ", length, " bytes, the file ",
                             file.size() - 8 - width, " behind them"});
  located_npy_header found{npy_header_reader(where, text.substr(8 + width, length)).read(),
                           8 + width + length};
  const npy_header& header = found.header;
  const auto bytes = checked_bytes(header.shape, header.type);
  if (!bytes || *bytes != size - found.end)
    throw_data_error(
        where, {"an array of shape ", shape_text(header.shape), " of ", name_of(header.type), " has ",
                bytes ? std::to_string(*bytes) : "2^64 or more", " bytes, the file has ", size - found.end});
  return found;
}

// Reads the array from bytes. `where` names the bytes in messages, and the array.
inline npy_array parse_npy(const std::string& where, std::span<const std::byte> file) {
  const auto [header, end] = parse_npy_header(where, file, file.size());
  const std::span<const std::byte> data = file.subspan(end);
  npy_array array{.tensor = {.name = where, .type = header.type, .shape = header.shape, .data = data.data()}};
  const bool is_ordered = (!header.is_fortran_order || header.shape.size() < 2) &&
                          (!header.is_big_endian || size_of(header.type) == 1);
  if (!is_ordered) {
    array.ordered = ordered_numbers(header, data.data(), data.size());
    array.tensor.data = array.ordered.data();
  }
  return array;
}

// The header that NumPy writes before an array in C order: version 1.0, padded so that the
// numbers start at a multiple of 64.
inline std::string npy_head(io::dtype type, const std::vector<std::size_t>& shape) {
  constexpr std::string_view types[] = {"|b1", "|u1", "|i1", "<i2", "<u2", "<f2", "",
                                        "<i4", "<u4", "<f4", "<f8", "<i8", "<u8"};
  std::string extents = shape_text(shape);
  extents = "(" + extents.substr(1, extents.size() - 2) + (shape.size() == 1 ? ",)" : ")");
  std::string text = message_of({"{'descr': '", types[static_cast<std::size_t>(type)],
                                 "', 'fortran_order': False, 'shape': ", extents, ", }"});
  if (!shape.empty())
    text.append(21 - std::to_string(shape[0]).size(), ' ');  // room for the first extent to grow, as in NumPy
  text.append(63 - (10 + text.size()) % 64, ' ').append("\n");
  const auto length = static_cast<std::uint16_t>(text.size());
  std::string head = std::string("\x93NUMPY\1\0", 8);
  head.append(reinterpret_cast<const char*>(&length), sizeof length);
  return head + text;
}

}  // namespace tenon::inline v0_1::detail
