// The bodies of mapped_file.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

namespace tenon::inline v0_1::detail {

TENON_INLINE mapped_file::mapped_file(const std::string& path) {
  using system_calls::entry_kind;
  opened from{system_calls::open_file(path)};
  const entry_kind kind = from.file < 0 ? entry_kind::missing : system_calls::entry_of(from.file, size_).kind;
  if (kind == entry_kind::missing) throw_data_error(path, {"cannot be opened: ", std::strerror(errno)});
  if (kind == entry_kind::folder) throw_data_error(path, {"is a directory"});
  if (kind != entry_kind::file) throw_data_error(path, {"is a pipe or a device; copy it into a file"});
  if (size_ == 0) return;  // an empty file cannot be mapped
  const void* const first = system_calls::map_bytes(from.file, size_);
  if (first == nullptr) throw_data_error(path, {"cannot be read: ", std::strerror(errno)});
  first_ = static_cast<const std::byte*>(first);
  file_.file = std::exchange(from.file, -1);
}

TENON_INLINE mapped_file::mapped_file(mapped_file&& other) noexcept
    : file_{std::exchange(other.file_.file, -1)},
      first_(std::exchange(other.first_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

TENON_INLINE mapped_file& mapped_file::operator=(mapped_file&& other) noexcept {
  std::swap(file_.file, other.file_.file);
  std::swap(first_, other.first_);
  std::swap(size_, other.size_);
  return *this;
}

TENON_INLINE bool mapped_file::copy(std::span<const std::byte> some, void* to) const {
  return system_calls::read_bytes(file_.file, to, some.size(),
                                  static_cast<std::size_t>(some.data() - first_));
}

}  // namespace tenon::inline v0_1::detail
