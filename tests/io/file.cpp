#include "tenon/io/file.hpp"

#include "support/temporary_file.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <filesystem>
#include <string>

using namespace tenon;
using tenon::detail::file_replacement;

namespace {

struct folder {
  std::string path =
      (std::filesystem::temp_directory_path() / ("tenon_folder_" + std::to_string(::getpid()))).string();
  folder() { std::filesystem::create_directory(path); }
  ~folder() { std::filesystem::remove_all(path); }
  long files() const {
    const std::filesystem::directory_iterator all(path);
    return std::distance(begin(all), end(all));
  }
};

std::string error_of(const std::string& path) {
  try {
    detail::write_file(path, "new");
  } catch (const data_error& error) { return error.what(); }
  return "no error";
}

}  // namespace

TEST_CASE("a file is replaced when all is written, and only then") {
  const folder f;
  const std::string path = f.path + "/a";
  detail::write_file(path, "old");
  {
    file_replacement file(path);
    file.write("new ", 4);
    file.write("bytes", 5);
    file.write(nullptr, 0);
    CHECK(detail::read_file(path) == "old");
    CHECK(f.files() == 2);
    file.commit();
    CHECK(detail::read_file(path) == "new bytes");
    CHECK(f.files() == 1);
  }
  {
    file_replacement abandoned(path), another(path);  // two at a time have separate files
    abandoned.write("x", 1);
    another.write("y", 1);
  }
  CHECK(detail::read_file(path) == "new bytes");
  CHECK(f.files() == 1);
  detail::write_file(path, "");
  CHECK(detail::read_file(path).empty());
}
TEST_CASE("a whole number is digits alone, as many as a long always holds; anything else is -1") {
  std::string digits;
  long expected = 0;
  for (int k = 1; k <= 18; ++k) {
    digits += static_cast<char>('0' + k % 10);
    expected = 10 * expected + k % 10;
    CHECK(detail::parse_whole_number(digits) == expected);
  }
  CHECK(detail::parse_whole_number(std::string(18, '9')) == 999999999999999999);
  CHECK(detail::parse_whole_number("007") == 7);
  for (const char* text :
       {"", "1000000000000000000", "0000000000000000001", "-1", "+1", " 1", "1 ", "1.", "a", "1/2", "1:2"}) {
    CAPTURE(text);
    CHECK(detail::parse_whole_number(text) == -1);
  }
}
TEST_CASE("a folder that is missing, or is where the file should be") {
  const folder f;
  CHECK(error_of(f.path + "/no/a") == f.path + "/no/a: cannot be written: No such file or directory");
  CHECK(error_of(f.path) == f.path + ": cannot be written: Is a directory");
  CHECK(error_of("") == "'': cannot be written: No such file or directory");
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::temp_directory_path()))
    CHECK(entry.path().string().find(f.path + ".") == std::string::npos);
  std::filesystem::permissions(f.path,
                               std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  const auto child = ::fork();
  if (child == 0) {  // root may write everywhere, so run as user nobody
    if (::geteuid() == 0 && ::seteuid(65534) != 0) ::_exit(0);
    ::_exit(error_of(f.path + "/a") == f.path + "/a: cannot be written: Permission denied" ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
  std::filesystem::permissions(f.path, std::filesystem::perms::owner_all);
}
TEST_CASE("what is no plain file is refused before anything is written, and stays what it is") {
  const folder f;
  const std::string pipe = f.path + "/pipe", plug = f.path + "/socket", link = f.path + "/link";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const int open_socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  plug.copy(address.sun_path, sizeof address.sun_path - 1);
  REQUIRE(::bind(open_socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  ::close(open_socket);
  const auto refused = [](const std::string& path, const std::string& what) {
    return path + ": cannot be written: it is a " + what + "; give the path of a file";
  };
  CHECK(error_of(pipe) == refused(pipe, "pipe"));
  CHECK(error_of(plug) == refused(plug, "socket"));
  std::filesystem::create_symlink(pipe, link);
  CHECK(error_of(link) == refused(link, "pipe, to which a link leads"));
  CHECK(std::filesystem::is_fifo(pipe));
  CHECK(std::filesystem::is_socket(plug));
  CHECK(std::filesystem::is_symlink(link));
  // Only root can replace a device, and only of its own: in a folder of the test, never one of the system.
  const std::string device = f.path + "/null";
  if (::mknod(device.c_str(), S_IFCHR | 0600, makedev(1, 3)) == 0) {
    CHECK(error_of(device) == refused(device, "device"));
    CHECK(std::filesystem::is_character_file(device));
  }
  std::filesystem::remove(link);
  std::filesystem::create_directory_symlink(f.path, link);
  CHECK(error_of(link) == link + ": cannot be written: Is a directory");
}
TEST_CASE("the file to which a symbolic link leads is replaced, and the link stays") {
  const folder f;
  std::filesystem::create_directories(f.path + "/real/deep");
  const std::string file = f.path + "/real/deep/a", direct = f.path + "/direct", chain = f.path + "/chain",
                    up = f.path + "/real/up", dangling = f.path + "/dangling", loop = f.path + "/loop";
  detail::write_file(file, "old");
  std::filesystem::create_symlink(file, direct);               // to an absolute path
  std::filesystem::create_symlink("direct", chain);            // to a link beside it
  std::filesystem::create_symlink("deep/../deep/a", up);       // relative to the link's folder
  std::filesystem::create_symlink("real/deep/new", dangling);  // to a file that is not there yet
  std::filesystem::create_symlink("loop", loop);
  for (const std::string& link : {direct, chain, up}) {
    detail::write_file(link, link);
    CHECK(std::filesystem::is_symlink(link));
    CHECK(detail::read_file(file) == link);
  }
  detail::write_file(dangling, "first");
  CHECK(std::filesystem::is_symlink(dangling));
  CHECK(detail::read_file(f.path + "/real/deep/new") == "first");
  CHECK(error_of(loop) == loop + ": cannot be written: Too many levels of symbolic links");
  CHECK(std::filesystem::is_symlink(loop));
  CHECK(f.files() == 5);  // no temporary file is left here
}
TEST_CASE("a file that is replaced keeps its permissions, another hard link the old bytes") {
  const folder f;
  const std::string path = f.path + "/a", other = f.path + "/b";
  detail::write_file(path, "old");
  for (const ::mode_t mode : {0600u, 0640u, 0666u, 0755u}) {
    REQUIRE(::chmod(path.c_str(), mode) == 0);
    detail::write_file(path, "old");
    struct stat about {};
    REQUIRE(::stat(path.c_str(), &about) == 0);
    CHECK((about.st_mode & 0777) == mode);
  }
  std::filesystem::create_hard_link(path, other);
  detail::write_file(path, "new");
  CHECK(detail::read_file(path) == "new");
  CHECK(detail::read_file(other) == "old");
}
TEST_CASE("bytes that find no room leave the old file and no other") {
  const folder f;
  const std::string path = f.path + "/a";
  detail::write_file(path, "old");
  // A limit on the size of files simulates a full disk: write() fails after a part.
  const auto child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    try {
      detail::write_file(path, std::string(5000, 'x'));
    } catch (const data_error& error) {
      ::_exit(std::string(error.what()) == path + ": cannot be written: File too large" ? 0 : 1);
    }
    ::_exit(2);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
  CHECK(detail::read_file(path) == "old");
  CHECK(f.files() == 1);
}
// Killed by its parent at the entry and at the exit of each of its system calls in turn: between two of them no file changes.
TEST_CASE("a program that is killed at any of its system calls leaves the old bytes or the new ones") {
  const folder f;
  const std::string path = f.path + "/a", versions[] = {std::string(300000, 'a'), std::string(200000, 'b')};
  constexpr int cannot_be_traced = 3;
  const auto wait = [](::pid_t child) {
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    return status;
  };
  int old_ones = 0, new_ones = 0;
  for (bool has_ended = false; !has_ended;) {
    detail::write_file(path, versions[0]);
    const auto child = ::fork();
    if (child == 0) {
      if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(cannot_be_traced);
      ::raise(SIGSTOP);
      detail::write_file(path, versions[1]);
      ::_exit(0);
    }
    int status = wait(child);
    for (int stops = old_ones + new_ones; stops >= 0 && WIFSTOPPED(status); --stops) {
      REQUIRE(::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr) == 0);
      status = wait(child);
    }
    has_ended = !WIFSTOPPED(status);
    if (has_ended && WEXITSTATUS(status) == cannot_be_traced) {
      MESSAGE("this machine traces no system calls");
      return;
    }
    if (!has_ended) {
      ::kill(child, SIGKILL);
      wait(child);
    }
    const std::string now = detail::read_file(path);
    REQUIRE((now == versions[0] || now == versions[1]));
    (now == versions[0] ? old_ones : new_ones) += 1;
    CHECK((now == versions[1] || new_ones == 0));
  }
  CHECK(old_ones >= 6);  // before and after open, write and fsync, at least
  CHECK(new_ones >= 2);
}
// The parent waits until the child has replaced the file some times; the child then goes on until it is killed.
TEST_CASE("a program that is killed while it writes leaves the old bytes or the new ones") {
  const folder f;
  const std::string path = f.path + "/a", versions[] = {std::string(300000, 'a'), std::string(200000, 'b')};
  for (int times = 1; times <= 20; ++times) {
    int replaced[2];
    REQUIRE(::pipe(replaced) == 0);
    const auto child = ::fork();
    if (child == 0)
      for (unsigned k = 0;; ++k) {
        detail::write_file(path, versions[k % 2]);
        if (::write(replaced[1], "", 1) != 1) ::_exit(1);
      }
    ::close(replaced[1]);
    char byte;
    for (int k = 0; k < times; ++k) REQUIRE(::read(replaced[0], &byte, 1) == 1);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::close(replaced[0]);
    const std::string now = detail::read_file(path);
    REQUIRE((now == versions[0] || now == versions[1]));
  }
}
