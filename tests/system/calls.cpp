// The system's calls: what is at a path, folders, files that are created, replaced and mapped, processes.
#include "tenon/system/calls.hpp"

#include "support/temporary_file.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace calls = tenon::system_calls;
using calls::entry_kind;

namespace {

void write(const std::string& path, const std::string& text) {
  const auto file = calls::create_file(path, 0666, false);
  REQUIRE(file >= 0);
  CHECK(calls::write_bytes(file, text.data(), text.size()));
  CHECK(calls::synchronise(file));
  calls::close_file(file);
}
std::string read(const std::string& path) {
  const auto file = calls::open_file(path);
  std::size_t size = 0;
  CHECK(calls::entry_of(file, size).kind == entry_kind::file);
  std::string all(size, ' ');
  CHECK(calls::read_bytes(file, all.data(), size, 0));
  calls::close_file(file);
  return all;
}

}  // namespace

TEST_CASE("what is at a path") {
  const temporary_folder folder;
  CHECK(calls::entry_at(folder.path).kind == entry_kind::folder);
  CHECK(calls::entry_at(folder.path + "/none").kind == entry_kind::missing);
  write(folder.path + "/file", "text");
  CHECK(calls::entry_at(folder.path + "/file").kind == entry_kind::file);
  CHECK(calls::link_target(folder.path + "/file").empty());
}
TEST_CASE("folders, with those that lead to them") {
  const temporary_folder folder;
  CHECK(calls::create_folders(folder.path + "/a/b/c"));
  CHECK(calls::create_folders(folder.path + "/a/b/c"));
  CHECK(calls::entry_at(folder.path + "/a/b/c").kind == entry_kind::folder);
  write(folder.path + "/file", "text");
  CHECK_FALSE(calls::create_folders(folder.path + "/file"));
  CHECK(errno == ENOTDIR);
  CHECK_FALSE(calls::create_folders(folder.path + "/file/below"));
}
TEST_CASE("a file is created once, and replaced as a whole") {
  const temporary_folder folder;
  const std::string old = folder.path + "/old", next = folder.path + "/next";
  write(old, "old");
  CHECK(calls::create_file(old, 0666, false) == calls::no_file);
  CHECK(errno == EEXIST);
  write(next, "next");
  CHECK(calls::replace_file(next, old));
  CHECK(read(old) == "next");
  CHECK(calls::entry_at(next).kind == entry_kind::missing);
  CHECK_FALSE(calls::replace_file(next, old));
}
TEST_CASE("bytes that are mapped, and a file that is shorter than was asked for") {
  const temporary_folder folder;
  write(folder.path + "/file", "0123456789");
  const auto file = calls::open_file(folder.path + "/file");
  const void* const bytes = calls::map_bytes(file, 10);
  REQUIRE(bytes != nullptr);
  CHECK(std::memcmp(bytes, "0123456789", 10) == 0);
  calls::unmap_bytes(bytes, 10);
  char some[4]{};
  CHECK(calls::read_bytes(file, some, 3, 7));
  CHECK(std::string(some) == "789");
  CHECK_FALSE(calls::read_bytes(file, some, 4, 7));
  calls::close_file(file);
}
TEST_CASE("a process and its terminal") {
  // The child's number is its own, and the one that its parent is told.
  std::fflush(stdout);
  const ::pid_t child = ::fork();
  if (child == 0) ::_exit(calls::process_number() == ::getpid() ? 0 : 1);
  int status = 1;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
  CHECK(calls::process_number() != child);
  CHECK_FALSE(calls::host_name().empty());
  std::FILE* const file = std::tmpfile();
  CHECK_FALSE(calls::is_terminal(file));
  CHECK_FALSE(calls::can_redraw(file));
  std::fclose(file);
}
TEST_CASE("a terminal whose TERM is dumb is not redrawn") {
  const int master = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (master < 0) return;  // a machine without pseudo terminals
  std::FILE* const terminal = ::fdopen(master, "r+");
  REQUIRE(calls::is_terminal(terminal));
  const char* const before = std::getenv("TERM");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("TERM", "xterm", 1);
  CHECK(calls::can_redraw(terminal));
  ::setenv("TERM", "dumb", 1);
  CHECK_FALSE(calls::can_redraw(terminal));
  ::unsetenv("TERM");
  CHECK(calls::can_redraw(terminal));
  if (before != nullptr) ::setenv("TERM", kept.c_str(), 1);
  std::fclose(terminal);
}
