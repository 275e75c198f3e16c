// Whole files: reading all bytes of one, replacing one, and data_error for a file with an error.
#pragma once

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/system/calls.hpp"

#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tenon::inline v0_1 {

// A data file is missing or malformed, or cannot be written; the message names the file and, if there is one, the line.
struct data_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

namespace detail {

[[noreturn, gnu::cold]] void throw_data_error(const std::string& path,
                                              std::initializer_list<message_part> problem);
[[noreturn, gnu::cold]] void throw_data_error(const std::string& path, long line,
                                              std::initializer_list<message_part> problem);

// All bytes of a file. Uses C's functions: <fstream> costs a fifth of the compile time of all of Tenon.
std::string read_file(const std::string& path);

long line_breaks_in(std::string_view text);

// All bytes of a text file, without the byte order mark of UTF-8. A zero byte is an error: it occurs in
// binary files and in UTF-16. The encoding is not checked otherwise.
std::string read_text(const std::string& path);

// Takes the next line from the front of a text, without its line break (LF or CR LF).
std::string_view take_line(std::string_view& text);

// The number that the digits write; -1 if they are no number, or are more than 18.
std::int64_t parse_whole_number(std::string_view digits);

// The file that a path leads to: symbolic links are followed, the last of which need not lead to a file that is there.
// Empty, with the reason in errno, if links form a loop.
std::string followed_links(std::string path);

// Writes a new file beside an old one, and replaces the old one when all is written. Other programs, and a reader after
// a crash at any moment, see the old bytes or the new ones. Without `commit` the old file is unchanged. A program that
// is killed leaves `<path>.<process>.<number>.tmp` behind. Of a symbolic link the file is replaced to which it leads.
// The new file has the permissions of the old one; further names of that (hard links) keep the old bytes.
class file_replacement {
 public:
  // Throws data_error, like all its functions, if the folder is missing or may not be written to, or the disk is full;
  // also if the path is that of a folder, a device, a pipe or a socket.
  explicit file_replacement(const std::string& path);
  file_replacement(const file_replacement&) = delete;
  file_replacement& operator=(const file_replacement&) = delete;
  ~file_replacement();

  void write(const void* bytes, std::size_t count);
  // All bytes are on the disk before the name changes.
  void commit();

 private:
  std::string name_, path_, temporary_{};  // the path as given; where that leads to; the new file
  system_calls::file_number file_ = system_calls::no_file;

  [[noreturn, gnu::cold]] void reject(system_calls::entry_kind kind) const;
  [[noreturn, gnu::cold]] void fail() const;
};

// Replaces a file as a whole by these bytes.
void write_file(const std::string& path, std::string_view bytes);

}  // namespace detail

}  // namespace tenon::inline v0_1

#ifndef TENON_COMPILED
#  include "tenon/io/file.ipp"
#endif
