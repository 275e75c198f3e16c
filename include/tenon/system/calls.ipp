// The bodies of calls.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#if defined(_WIN32)
#  include <direct.h>
#  include <io.h>
#  include <process.h>
#else
#  include <unistd.h>
#  if !defined(__wasi__)
#    include <sys/ioctl.h>
#    include <sys/mman.h>
#  endif
#endif

#if defined(_WIN32)
// As in <windows.h>, whose macros, such as small and near, would change other headers.
struct _SECURITY_ATTRIBUTES;
struct _CONSOLE_SCREEN_BUFFER_INFO;
extern "C" {
__declspec(dllimport) int __stdcall MoveFileExA(const char*, const char*, unsigned long);
__declspec(dllimport) void* __stdcall CreateFileMappingA(void*, _SECURITY_ATTRIBUTES*, unsigned long,
                                                         unsigned long, unsigned long, const char*);
__declspec(dllimport) void* __stdcall MapViewOfFile(void*, unsigned long, unsigned long, unsigned long,
                                                    std::size_t);
__declspec(dllimport) int __stdcall UnmapViewOfFile(const void*);
__declspec(dllimport) int __stdcall CloseHandle(void*);
__declspec(dllimport) int __stdcall GetComputerNameA(char*, unsigned long*);
__declspec(dllimport) void* __stdcall GetStdHandle(unsigned long);
__declspec(dllimport) int __stdcall GetConsoleScreenBufferInfo(void*, _CONSOLE_SCREEN_BUFFER_INFO*);
}
#endif

namespace tenon::inline v0_1::system_calls {

// --- the same on all systems -----------------------------------------------------------------------------------

TENON_INLINE bool create_folders(const std::string& path) {
  for (std::size_t end = 1; end <= path.size(); ++end) {
    if (end < path.size() && path[end] != '/') continue;
    const std::string folder = path.substr(0, end);
    if (entry_at(folder).kind == entry_kind::folder) continue;
#if defined(_WIN32)
    const bool is_made = ::_mkdir(folder.c_str()) == 0;
#else
    const bool is_made = ::mkdir(folder.c_str(), 0777) == 0;
#endif
    if (!is_made && errno != EEXIST) return false;
  }
  if (entry_at(path).kind == entry_kind::folder) return true;
  errno = ENOTDIR;
  return false;
}

#if defined(_WIN32)

// --- Windows ---------------------------------------------------------------------------------------------------

inline entry entry_of_mode(unsigned mode) {
  const unsigned kind = mode & _S_IFMT;
  return {kind == _S_IFREG   ? entry_kind::file
          : kind == _S_IFDIR ? entry_kind::folder
          : kind == _S_IFIFO ? entry_kind::pipe
                             : entry_kind::device,
          mode & 0777};
}

TENON_INLINE entry entry_at(const std::string& path) {
  std::string name = path;  // "C:\\models\\" is not found, "C:\\" is
  while (name.size() > 3 && (name.back() == '\\' || name.back() == '/')) name.pop_back();
  struct _stat64 about {};
  return ::_stat64(name.c_str(), &about) == 0 ? entry_of_mode(about.st_mode) : entry{entry_kind::missing, 0};
}
TENON_INLINE std::string link_target(const std::string&) { return {}; }  // the system follows links itself

TENON_INLINE file_number create_file(const std::string& path, unsigned permissions, bool) {
  return ::_open(path.c_str(), _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT,
                 static_cast<int>(permissions) & (_S_IREAD | _S_IWRITE));
}
TENON_INLINE bool write_bytes(file_number file, const void* bytes, std::size_t count) {
  for (const char* at = static_cast<const char*>(bytes); count > 0;) {
    const unsigned some = count < (1u << 30) ? static_cast<unsigned>(count) : 1u << 30;
    const int written = ::_write(file, at, some);
    if (written < 0) return false;
    at += written;
    count -= static_cast<std::size_t>(written);
  }
  return true;
}
TENON_INLINE bool synchronise(file_number file) { return ::_commit(file) == 0; }
TENON_INLINE void close_file(file_number file) { ::_close(file); }
TENON_INLINE void remove_file(const std::string& path) { ::_unlink(path.c_str()); }
TENON_INLINE bool replace_file(const std::string& from, const std::string& to) {
  constexpr unsigned long replace_existing = 1, write_through = 8;
  const bool is_moved = ::MoveFileExA(from.c_str(), to.c_str(), replace_existing | write_through) != 0;
  if (!is_moved) errno = EACCES;
  return is_moved;
}
TENON_INLINE void synchronise_folder(const std::string&) {}

TENON_INLINE file_number open_file(const std::string& path) {
  return ::_open(path.c_str(), _O_RDONLY | _O_BINARY | _O_NOINHERIT);
}
TENON_INLINE entry entry_of(file_number file, std::size_t& size) {
  struct _stat64 about {};
  if (::_fstat64(file, &about) != 0) return {entry_kind::missing, 0};
  size = static_cast<std::size_t>(about.st_size);
  return entry_of_mode(about.st_mode);
}
TENON_INLINE const void* map_bytes(file_number file, std::size_t size) {
  constexpr unsigned long page_readonly = 2, file_map_read = 4;
  void* const handle = reinterpret_cast<void*>(::_get_osfhandle(file));
  void* const mapping = ::CreateFileMappingA(handle, nullptr, page_readonly, 0, 0, nullptr);
  const void* const first =
      mapping != nullptr ? ::MapViewOfFile(mapping, file_map_read, 0, 0, size) : nullptr;
  if (mapping != nullptr) ::CloseHandle(mapping);  // the view keeps it
  if (first == nullptr) errno = ENOMEM;
  return first;
}
TENON_INLINE void unmap_bytes(const void* bytes, std::size_t) { ::UnmapViewOfFile(bytes); }
TENON_INLINE bool read_bytes(file_number file, void* to, std::size_t count, std::size_t at) {
  std::size_t size = 0;
  if (entry_of(file, size).kind != entry_kind::file || at > size || count > size - at) return false;
  const void* const all = map_bytes(file, size);
  if (all == nullptr) return false;
  std::memcpy(to, static_cast<const char*>(all) + at, count);
  unmap_bytes(all, size);
  return true;
}

TENON_INLINE long process_number() { return ::_getpid(); }
TENON_INLINE std::string host_name() {
  char name[16];
  unsigned long size = sizeof name;
  return ::GetComputerNameA(name, &size) != 0 ? std::string(name, size) : "host";
}
TENON_INLINE bool is_terminal(std::FILE* stream) { return ::_isatty(::_fileno(stream)) != 0; }
TENON_INLINE std::size_t terminal_columns() {
  constexpr unsigned long standard_error = 0xfffffff4;
  struct {
    short size[2], cursor[2];
    unsigned short attributes;
    short left, top, right, bottom, most[2];
  } about{};
  const bool is_known =
      ::GetConsoleScreenBufferInfo(::GetStdHandle(standard_error),
                                   reinterpret_cast<_CONSOLE_SCREEN_BUFFER_INFO*>(&about)) != 0;
  return is_known ? static_cast<std::size_t>(about.right - about.left + 1) : 0;
}

#else

// --- POSIX, and WASI, which lacks some of it -------------------------------------------------------------------

inline entry entry_of_mode(::mode_t mode) {
  return {S_ISREG(mode) ? entry_kind::file
          : S_ISDIR(mode) ? entry_kind::folder
          : S_ISFIFO(mode) ? entry_kind::pipe
          : S_ISSOCK(mode) ? entry_kind::socket
                           : entry_kind::device,
          static_cast<unsigned>(mode) & 0777};
}

TENON_INLINE entry entry_at(const std::string& path) {
  struct stat about {};
  return ::stat(path.c_str(), &about) == 0 ? entry_of_mode(about.st_mode) : entry{entry_kind::missing, 0};
}
TENON_INLINE std::string link_target(const std::string& path) {
  char target[4096];
  const ::ssize_t length = ::readlink(path.c_str(), target, sizeof target);
  return length < 0 ? std::string() : std::string(target, static_cast<std::size_t>(length));
}

TENON_INLINE file_number create_file(const std::string& path, unsigned permissions,
                                     [[maybe_unused]] bool exact) {
  const auto mode = static_cast<::mode_t>(permissions);
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
#  if !defined(__wasi__)
  if (file >= 0 && exact) ::fchmod(file, mode);
#  endif
  return file;
}
TENON_INLINE bool write_bytes(file_number file, const void* bytes, std::size_t count) {
  for (const char* at = static_cast<const char*>(bytes); count > 0;) {
    const ::ssize_t written = ::write(file, at, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    at += written;
    count -= static_cast<std::size_t>(written);
  }
  return true;
}
TENON_INLINE bool synchronise(file_number file) { return ::fsync(file) == 0; }
TENON_INLINE void close_file(file_number file) { ::close(file); }
TENON_INLINE void remove_file(const std::string& path) { ::unlink(path.c_str()); }
TENON_INLINE bool replace_file(const std::string& from, const std::string& to) {
  return ::rename(from.c_str(), to.c_str()) == 0;
}
TENON_INLINE void synchronise_folder(const std::string& path) {
  const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  ::fsync(folder);
  ::close(folder);
}

TENON_INLINE file_number open_file(const std::string& path) {
  return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}
TENON_INLINE entry entry_of(file_number file, std::size_t& size) {
  struct stat about {};
  if (::fstat(file, &about) != 0) return {entry_kind::missing, 0};
  size = static_cast<std::size_t>(about.st_size);
  return entry_of_mode(about.st_mode);
}
TENON_INLINE const void* map_bytes(file_number file, std::size_t size) {
#  if defined(__wasi__)
  void* const all = std::malloc(size);
  if (all == nullptr || read_bytes(file, all, size, 0)) return all;
  std::free(all);
  return nullptr;
#  else
  const void* const first = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  return first == MAP_FAILED ? nullptr : first;
#  endif
}
TENON_INLINE void unmap_bytes(const void* bytes, [[maybe_unused]] std::size_t size) {
#  if defined(__wasi__)
  std::free(const_cast<void*>(bytes));
#  else
  ::munmap(const_cast<void*>(bytes), size);
#  endif
}
TENON_INLINE bool read_bytes(file_number file, void* to, std::size_t count, std::size_t at) {
  for (char* next = static_cast<char*>(to); count > 0;) {
    const ::ssize_t got = ::pread(file, next, count, static_cast<::off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    next += got;
    at += static_cast<std::size_t>(got);
    count -= static_cast<std::size_t>(got);
  }
  return true;
}

#  if defined(__wasi__)
TENON_INLINE long process_number() { return 1; }
TENON_INLINE std::string host_name() { return "host"; }
TENON_INLINE std::size_t terminal_columns() { return 0; }
#  else
TENON_INLINE long process_number() { return ::getpid(); }
TENON_INLINE std::string host_name() {
  char name[65] = "host";
  ::gethostname(name, sizeof name - 1);
  return name;
}
TENON_INLINE std::size_t terminal_columns() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
#  endif
TENON_INLINE bool is_terminal(std::FILE* stream) { return ::isatty(::fileno(stream)) != 0; }

#endif

TENON_INLINE bool can_redraw(std::FILE* stream) {
  const char* const kind = std::getenv("TERM");
  return is_terminal(stream) && (kind == nullptr || std::string_view(kind) != "dumb");
}

}  // namespace tenon::inline v0_1::system_calls
