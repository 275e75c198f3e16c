// Unpacking with zlib: compressed entries of npz files, io::npz_file("data.npz", io::deflated), and gzip
// files, io::read_idx<float>("x.gz", io::gzipped). Needs zlib (Debian: zlib1g-dev) and -lz when the program is
// linked; no other header of Tenon does.
#pragma once

#include "tenon/io/zip.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace tenon::inline v0_1 {

namespace detail {
// Unpacks into `to`; true if the bytes are packed in this format of zlib's and give exactly as many bytes as `to` has.
inline bool inflated(std::span<const std::byte> from, std::span<std::byte> to, int format) {
  z_stream stream{};
  if (::inflateInit2(&stream, format) != Z_OK) return false;
  constexpr std::size_t most = std::numeric_limits<uInt>::max();
  int state = Z_OK;
  std::byte one_more{};  // shows whether there are too many bytes
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(from.data()));
  stream.next_out = reinterpret_cast<Bytef*>(to.empty() ? &one_more : to.data());
  std::size_t in = from.size(), out = to.size();
  bool is_past_end = false;
  while (state == Z_OK) {
    if (stream.avail_in == 0) {
      stream.avail_in = static_cast<uInt>(std::min(in, most));
      in -= stream.avail_in;
    }
    if (stream.avail_out == 0) {
      if (out == 0 && is_past_end) break;
      is_past_end = out == 0;
      if (is_past_end) {
        stream.next_out = reinterpret_cast<Bytef*>(&one_more);
        stream.avail_out = 1;
      } else {
        stream.avail_out = static_cast<uInt>(std::min(out, most));
        out -= stream.avail_out;
      }
    }
    state = ::inflate(&stream, Z_NO_FLUSH);
  }
  const bool is_whole = state == Z_STREAM_END && stream.avail_in == 0 && in == 0 && out == 0 &&
                        (is_past_end ? stream.avail_out == 1 : stream.avail_out == 0);
  ::inflateEnd(&stream);
  return is_whole;
}
}  // namespace detail

namespace io {

// For io::npz_file, to read files of numpy.savez_compressed.
inline bool deflated(std::span<const std::byte> from, std::span<std::byte> to) {
  return detail::inflated(from, to, -MAX_WBITS);  // without zlib's own header
}
// For io::read_idx, to read a file that gzip has packed. It must be below 4 GiB, because its last four bytes are its
// length. Only the first `most` bytes of more are unpacked. Empty if the file is damaged, as far as it is read.
inline std::optional<std::vector<std::byte>> gzipped(
    std::span<const std::byte> from, std::size_t most = std::numeric_limits<std::size_t>::max()) {
  constexpr std::size_t least = 18, most_ratio = 1032;  // an empty file; what deflate packs into one byte
  if (from.size() < least) return std::nullopt;
  std::size_t length = 0;
  for (std::size_t k = 1; k <= 4; ++k)
    length = length << 8 | std::to_integer<std::size_t>(from[from.size() - k]);
  if (length / most_ratio > from.size()) return std::nullopt;
  std::vector<std::byte> to(std::min(length, most));
  if (!detail::inflated(from, to, MAX_WBITS + 16) && to.size() == length) return std::nullopt;
  return to;
}

}  // namespace io

}  // namespace tenon::inline v0_1
