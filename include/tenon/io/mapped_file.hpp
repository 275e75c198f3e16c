// mapped_file: all bytes of a file as read-only memory; the system fetches bytes when they are read. Replace such a
// file (as Tenon's writers do) and do not write into it: if another program shortens it meanwhile, reading past its new
// end raises a signal of the system (SIGBUS).
#pragma once

#include "tenon/io/file.hpp"

#include <cstddef>
#include <span>
#include <string>

namespace tenon::inline v0_1::detail {

class mapped_file {
 public:
  // Throws data_error if the file is missing or not a regular file.
  explicit mapped_file(const std::string& path);
  mapped_file(mapped_file&& other) noexcept;
  mapped_file& operator=(mapped_file&& other) noexcept;
  ~mapped_file() {
    if (first_ != nullptr) system_calls::unmap_bytes(first_, size_);
  }

  std::span<const std::byte> bytes() const { return {first_, size_}; }

  // Lets the system copy some of the file's bytes into other memory. For many bytes this takes two thirds
  // of the time of a copy from mapped memory, whose pages come one by one. Returns false if the file has
  // become shorter or is unreadable.
  bool copy(std::span<const std::byte> some, void* to) const;

 private:
  struct opened {
    system_calls::file_number file = system_calls::no_file;
    ~opened() {
      if (file >= 0) system_calls::close_file(file);
    }
  };
  opened file_{};
  const std::byte* first_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace tenon::inline v0_1::detail

#ifndef TENON_COMPILED
#  include "tenon/io/mapped_file.ipp"
#endif
