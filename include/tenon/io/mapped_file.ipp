// The bodies of mapped_file.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace tenon::detail {

TENON_INLINE mapped_file::mapped_file(const std::string& path) {
  opened from{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};  // a pipe would wait for its writer
  struct stat about {};
  if (from.file < 0 || ::fstat(from.file, &about) != 0)
    throw_data_error(path, {"cannot be opened: ", std::strerror(errno)});
  if (S_ISDIR(about.st_mode)) throw_data_error(path, {"is a directory"});
  if (!S_ISREG(about.st_mode)) throw_data_error(path, {"is a pipe or a device; copy it into a file"});
  size_ = static_cast<std::size_t>(about.st_size);
  if (size_ == 0) return;  // an empty file cannot be mapped
  void* const first = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, from.file, 0);
  if (first == MAP_FAILED) throw_data_error(path, {"cannot be read: ", std::strerror(errno)});
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
  std::size_t at = static_cast<std::size_t>(some.data() - first_), left = some.size();
  for (char* next = static_cast<char*>(to); left > 0;) {
    const ::ssize_t count = ::pread(file_.file, next, left, static_cast<::off_t>(at));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    next += count;
    at += static_cast<std::size_t>(count);
    left -= static_cast<std::size_t>(count);
  }
  return true;
}

}  // namespace tenon::detail
