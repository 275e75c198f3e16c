// mapped_file: the bytes of a file as memory, without a copy. The system reads a page where it is touched, and may drop it again.
#pragma once

#include "tenon/io/file.hpp"

#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

namespace tenon::detail {

// What cannot be mapped, such as a pipe, is read. A file that another program shortens while it is read ends this one.
class mapped_file {
 public:
  // Throws data_error where the file is missing, a directory, or cannot be read.
  explicit mapped_file(const std::string& path) {
    const open_file from(std::fopen(path.c_str(), "rb"));
    if (from.file == nullptr) throw_data_error(path, {"cannot be opened: ", std::strerror(errno)});
    const int file = ::fileno(from.file);
    struct stat about {};
    if (::fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0) {
      size_ = static_cast<std::size_t>(about.st_size);
      void* const pages = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
      if (pages != MAP_FAILED) pages_ = pages;
    }
    if (pages_ != nullptr) ::madvise(pages_, size_, MADV_SEQUENTIAL);
    else copy_ = read_rest(from.file, path);
  }
  mapped_file(const mapped_file&) = delete;
  mapped_file& operator=(const mapped_file&) = delete;
  ~mapped_file() {
    if (pages_ != nullptr) ::munmap(pages_, size_);
  }

  std::string_view bytes() const {
    if (pages_ == nullptr) return copy_;
    return {static_cast<const char*>(pages_), size_};
  }

 private:
  void* pages_ = nullptr;
  std::size_t size_ = 0;
  std::string copy_;
};

}  // namespace tenon::detail
