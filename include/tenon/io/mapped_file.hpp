// mapped_file: all bytes of a file as read-only memory; the system fetches bytes when they are read. Replace such a
// file (as Tenon's writers do) and do not write into it: if another program shortens it meanwhile, reading past its new
// end raises a signal of the system (SIGBUS).
#pragma once

#include "tenon/io/file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <utility>

namespace tenon::detail {

class mapped_file {
 public:
  // Throws data_error if the file is missing or not a regular file.
  explicit mapped_file(const std::string& path) {
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
  mapped_file(mapped_file&& other) noexcept
      : file_{std::exchange(other.file_.file, -1)},
        first_(std::exchange(other.first_, nullptr)),
        size_(std::exchange(other.size_, 0)) {}
  mapped_file& operator=(mapped_file&& other) noexcept {
    std::swap(file_.file, other.file_.file);
    std::swap(first_, other.first_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~mapped_file() {
    if (first_ != nullptr) ::munmap(const_cast<std::byte*>(first_), size_);
  }

  std::span<const std::byte> bytes() const { return {first_, size_}; }

  // Lets the system copy some of the file's bytes into other memory. For many bytes this takes two thirds
  // of the time of a copy from mapped memory, whose pages come one by one. Returns false if the file has
  // become shorter or is unreadable.
  bool copy(std::span<const std::byte> some, void* to) const {
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

 private:
  struct opened {
    int file = -1;
    ~opened() {
      if (file >= 0) ::close(file);
    }
  };
  opened file_{};
  const std::byte* first_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace tenon::detail
