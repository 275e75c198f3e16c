// Whole files: reading all bytes of one, replacing one, and data_error, for what is wrong with one.
#pragma once

#include "tenon/diagnostics/input_error.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tenon {

// A data file is missing or malformed, or cannot be written; the message names the file and, where there is
// one, the line.
struct data_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_data_error(
    const std::string& path, std::initializer_list<message_part> problem) {
  throw data_error(message_of({path, ": ", message_of(problem)}));
}
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_data_error(
    const std::string& path, long line, std::initializer_list<message_part> problem) {
  throw data_error(message_of({path, ":", line, ": ", message_of(problem)}));
}

// C's functions: <fstream> is a fifth of what including all of Tenon costs.
struct open_file {
  std::FILE* file;
  explicit open_file(std::FILE* opened) : file(opened) {}
  open_file(const open_file&) = delete;
  open_file& operator=(const open_file&) = delete;
  ~open_file() {
    if (file != nullptr) std::fclose(file);
  }
};

// All bytes from here to the end of a file that is open; `path` is for messages.
inline std::string read_rest(std::FILE* from, const std::string& path) {
  std::string all;
  char some[1 << 14];
  errno = 0;
  while (const std::size_t count = std::fread(some, 1, sizeof some, from)) all.append(some, count);
  if (std::ferror(from)) {  // opening a directory succeeds, reading it fails
    if (errno == EISDIR) throw_data_error(path, {"is a directory"});
    throw_data_error(path, {"cannot be read: ", std::strerror(errno)});
  }
  return all;
}
// All bytes of a file.
inline std::string read_file(const std::string& path) {
  const open_file from(std::fopen(path.c_str(), "rb"));
  if (from.file == nullptr) throw_data_error(path, {"cannot be opened: ", std::strerror(errno)});
  return read_rest(from.file, path);
}

inline long line_breaks_in(std::string_view text) {
  long count = 0;
  for (const char c : text) count += c == '\n';
  return count;
}

// All bytes of a text file, without the byte order mark of UTF-8. A zero byte is an error: it occurs in
// binary files and in UTF-16. The encoding is not checked otherwise.
inline std::string read_text(const std::string& path) {
  std::string text = read_file(path);
  if (const std::size_t zero = text.find('\0'); zero != std::string::npos)
    throw_data_error(path, 1 + line_breaks_in(std::string_view(text).substr(0, zero)),
                     {"expected text in UTF-8 or ASCII, got a zero byte"});
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  return text;
}

// Takes the next line from the front of a text, without its line break (LF or CR LF).
inline std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// The number that digits write; -1 for what is no number, or has more than 18 digits.
inline long parse_whole_number(std::string_view digits) {
  if (digits.empty() || digits.size() > 18) return -1;
  long number = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return -1;
    number = 10 * number + (c - '0');
  }
  return number;
}

// The beginning of a text, for a message.
inline std::string shortened(std::string_view text) {
  return message_of({text.substr(0, 40), text.size() > 40 ? "..." : ""});
}

// Replaces a file as a whole: other programs, and a reader after a crash, see the old bytes or the new ones.
inline void write_file(const std::string& path, std::string_view bytes) {
  const std::string temporary = message_of({path, ".", ::getpid(), ".tmp"});
  bool is_written = false;
  int error = 0;
  if (std::FILE* to = std::fopen(temporary.c_str(), "wb")) {
    is_written = std::fwrite(bytes.data(), 1, bytes.size(), to) == bytes.size() && std::fflush(to) == 0 &&
                 ::fsync(::fileno(to)) == 0;
    error = errno;
    if (std::fclose(to) != 0 && is_written) is_written = false, error = errno;
    if (is_written && std::rename(temporary.c_str(), path.c_str()) != 0) is_written = false, error = errno;
    if (!is_written) std::remove(temporary.c_str());
  } else {
    error = errno;
  }
  if (!is_written) throw_data_error(path, {"cannot be written: ", std::strerror(error)});
}

}  // namespace detail

}  // namespace tenon
