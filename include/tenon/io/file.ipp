// The bodies of file.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace tenon::inline v0_1::detail {

[[gnu::noinline]] TENON_INLINE void throw_data_error(const std::string& path,
                                                     std::initializer_list<message_part> problem) {
  throw data_error(message_of({path.empty() ? "''" : path, ": ", message_of(problem)}));
}

[[gnu::noinline]] TENON_INLINE void throw_data_error(const std::string& path, long line,
                                                     std::initializer_list<message_part> problem) {
  throw data_error(message_of({path, ":", line, ": ", message_of(problem)}));
}

TENON_INLINE std::string read_file(const std::string& path) {
  if (system_calls::entry_at(path).kind == system_calls::entry_kind::folder)
    throw_data_error(path, {"is a directory"});
  struct opened {
    std::FILE* file;
    ~opened() {
      if (file != nullptr) std::fclose(file);
    }
  } const from{std::fopen(path.c_str(), "rb")};
  if (from.file == nullptr) throw_data_error(path, {"cannot be opened: ", std::strerror(errno)});
  std::string all;
  char some[1 << 14];
  errno = 0;
  while (const std::size_t count = std::fread(some, 1, sizeof some, from.file)) all.append(some, count);
  if (std::ferror(from.file)) throw_data_error(path, {"cannot be read: ", std::strerror(errno)});
  return all;
}

TENON_INLINE long line_breaks_in(std::string_view text) {
  long count = 0;
  for (const char c : text) count += c == '\n';
  return count;
}

TENON_INLINE std::string read_text(const std::string& path) {
  std::string text = read_file(path);
  if (const std::size_t zero = text.find('\0'); zero != std::string::npos)
    throw_data_error(path, 1 + line_breaks_in(std::string_view(text).substr(0, zero)),
                     {"expected text in UTF-8 or ASCII, got a zero byte"});
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  return text;
}

TENON_INLINE std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

TENON_INLINE std::int64_t parse_whole_number(std::string_view digits) {
  if (digits.empty() || digits.size() > 18) return -1;
  std::int64_t number = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return -1;
    number = 10 * number + (c - '0');
  }
  return number;
}

TENON_INLINE std::string followed_links(std::string path) {
  constexpr int most = 40;  // as in Linux
  for (int links = 0; links <= most; ++links) {
    const std::string next = system_calls::link_target(path);
    if (next.empty()) return path;
    const std::size_t slash = path.find_last_of('/');
    if (next.starts_with('/') || slash == std::string::npos) path = next;
    else path.replace(slash + 1, std::string::npos, next);  // relative to the link's folder
  }
  errno = ELOOP;
  return {};
}

TENON_INLINE file_replacement::file_replacement(const std::string& path)
    : name_(path), path_(followed_links(path)) {
  using system_calls::entry_kind;
  const system_calls::entry old = system_calls::entry_at(path);
  const bool is_there = old.kind != entry_kind::missing;
  if (is_there && old.kind != entry_kind::file) reject(old.kind);
  if (path_.empty()) fail();
  static std::atomic<unsigned> last{0};
  do {
    temporary_ = message_of({path_, ".", system_calls::process_number(), ".", ++last, ".tmp"});
    file_ = system_calls::create_file(temporary_, is_there ? old.permissions : 0666, is_there);
  } while (file_ < 0 && errno == EEXIST);  // left by a killed process with the same number
  if (file_ < 0) fail();
}

TENON_INLINE file_replacement::~file_replacement() {
  if (file_ < 0) return;
  system_calls::close_file(file_);
  system_calls::remove_file(temporary_);
}

TENON_INLINE void file_replacement::write(const void* bytes, std::size_t count) {
  if (!system_calls::write_bytes(file_, bytes, count)) fail();
}

TENON_INLINE void file_replacement::commit() {
  if (!system_calls::synchronise(file_)) fail();
  if constexpr (!system_calls::replaces_open_files) system_calls::close_file(std::exchange(file_, -1));
  if (!system_calls::replace_file(temporary_, path_)) fail();
  if (file_ >= 0) system_calls::close_file(std::exchange(file_, -1));
  const std::size_t slash = path_.find_last_of('/');
  system_calls::synchronise_folder(slash == std::string::npos ? "." : path_.substr(0, slash + 1));
}

[[gnu::noinline]] TENON_INLINE void file_replacement::reject(system_calls::entry_kind kind) const {
  using system_calls::entry_kind;
  errno = EISDIR;
  if (kind == entry_kind::folder) fail();
  throw_data_error(
      name_, {"cannot be written: it is a ",
              kind == entry_kind::pipe     ? "pipe"
              : kind == entry_kind::socket ? "socket"
                                           : "device",
              path_ == name_ || path_.empty() ? "" : ", to which a link leads", "; give the path of a file"});
}

[[gnu::noinline]] TENON_INLINE void file_replacement::fail() const {
  throw_data_error(name_, {"cannot be written: ", std::strerror(errno)});
}

TENON_INLINE void write_file(const std::string& path, std::string_view bytes) {
  file_replacement file(path);
  file.write(bytes.data(), bytes.size());
  file.commit();
}

}  // namespace tenon::inline v0_1::detail
