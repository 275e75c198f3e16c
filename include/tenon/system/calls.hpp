// The calls of an operating system that C++ has no words for, or that differ between systems: files that are created, replaced and mapped, processes,
// terminals. POSIX (Linux, macOS, BSD), Windows and WASI have them; but for large_pages.hpp nothing else in Tenon includes a header of a system. A
// failure is in errno.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

namespace tenon::inline v0_1::system_calls {

// --- what is at a path ---------------------------------------------------------------------------------------

enum class entry_kind { missing, file, folder, pipe, socket, device };
struct entry {
  entry_kind kind;
  unsigned permissions;  // of its owner, its group and others, as in POSIX
};
// Of what a link leads to.
entry entry_at(const std::string& path);
// Where a symbolic link leads to; empty if it is none.
std::string link_target(const std::string& path);
// With all folders that lead to it. True if it is there.
bool create_folders(const std::string& path);

// --- files ---------------------------------------------------------------------------------------------------

// A number for a file, or -1.
using file_number = int;
inline constexpr file_number no_file = -1;

// A new file, for writing; EEXIST if there is one. `exact`: not less what the process withholds from new files.
file_number create_file(const std::string& path, unsigned permissions, bool exact);
// False after a failure.
bool write_bytes(file_number file, const void* bytes, std::size_t count);
// All bytes are on the disk.
bool synchronise(file_number file);
void close_file(file_number file);
void remove_file(const std::string& path);
// Other programs see the old file or the new one, at any moment. Windows wants the new one to be closed.
#if defined(_WIN32)
inline constexpr bool replaces_open_files = false;
#else
inline constexpr bool replaces_open_files = true;
#endif
bool replace_file(const std::string& from, const std::string& to);
// Names in a folder survive a loss of power, if its file system can do that.
void synchronise_folder(const std::string& path);

// For reading, of whatever is at the path: a pipe does not wait for its writer.
file_number open_file(const std::string& path);
entry entry_of(file_number file, std::size_t& size);
// Bytes that the system reads when they are looked at; null after a failure. Where there is no such thing, it reads them now.
const void* map_bytes(file_number file, std::size_t size);
void unmap_bytes(const void* bytes, std::size_t size);
// Reads `count` bytes from a place on; false if there are fewer.
bool read_bytes(file_number file, void* to, std::size_t count, std::size_t at);

// --- processes and terminals ---------------------------------------------------------------------------------

long process_number();
std::string host_name();
bool is_terminal(std::FILE* stream);
// A terminal that moves its cursor: not where TERM is `dumb`, as in an editor's window.
bool can_redraw(std::FILE* stream);
// Of the terminal behind the standard error stream; 0 if it is not known.
std::size_t terminal_columns();

}  // namespace tenon::inline v0_1::system_calls

#ifndef TENON_COMPILED
#  include "tenon/system/calls.ipp"
#endif
