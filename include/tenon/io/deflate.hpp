// Compressed entries of npz files, by zlib: npz_file("data.npz", deflated). Needs zlib (Debian: zlib1g-dev) and, when the program
// is linked, -lz; no other header of Tenon does.
#pragma once

#include "tenon/io/zip.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>

namespace tenon {

// What npz_file takes to read numpy.savez_compressed's files.
inline bool deflated(std::span<const std::byte> from, std::span<std::byte> to) {
  z_stream stream{};
  if (::inflateInit2(&stream, -MAX_WBITS) != Z_OK) return false;  // without zlib's own header
  constexpr std::size_t most = std::numeric_limits<uInt>::max();
  int state = Z_OK;
  std::byte one_more{};  // where too many bytes would show
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
      if (is_past_end) stream.next_out = reinterpret_cast<Bytef*>(&one_more), stream.avail_out = 1;
      else stream.avail_out = static_cast<uInt>(std::min(out, most)), out -= stream.avail_out;
    }
    state = ::inflate(&stream, Z_NO_FLUSH);
  }
  const bool is_whole = state == Z_STREAM_END && stream.avail_in == 0 && in == 0 && out == 0 &&
                        (is_past_end ? stream.avail_out == 1 : stream.avail_out == 0);
  ::inflateEnd(&stream);
  return is_whole;
}

}  // namespace tenon
