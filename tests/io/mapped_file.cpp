#include "tenon/io/mapped_file.hpp"

#include "support/temporary_file.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tenon;
using tenon::detail::mapped_file;

namespace {

std::string error_of(const std::string& path) {
  try {
    const mapped_file file(path);
  } catch (const data_error& error) { return error.what(); }
  return "no error";
}
std::string text_of(const mapped_file& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

}  // namespace

TEST_CASE("the bytes of a file") {
  const std::string text(10000, 'x');
  const file_with f(text), none("");
  mapped_file file(f.path), other(none.path);
  CHECK(text_of(file) == text);
  CHECK(other.bytes().empty());
  other = std::move(file);
  CHECK(text_of(other) == text);
  const mapped_file third = std::move(other);
  CHECK(text_of(third) == text);
}
TEST_CASE("a file that is replaced meanwhile stays as it was opened") {
  const file_with f("the old bytes");
  const mapped_file file(f.path);
  detail::write_file(f.path, "new");
  CHECK(text_of(file) == "the old bytes");
}
TEST_CASE("bytes are copied from where they are") {
  std::string text;
  for (int k = 0; k < 100000; ++k) text += static_cast<char>(k % 251);
  const file_with f(text);
  mapped_file opened(f.path);
  const mapped_file file = std::move(opened);
  std::string some(70001, ' ');
  CHECK(file.copy(file.bytes().subspan(12345, some.size()), some.data()));
  CHECK(some == text.substr(12345, some.size()));
  CHECK(file.copy({}, nullptr));
  REQUIRE(::truncate(f.path.c_str(), 50000) == 0);
  CHECK(!file.copy(file.bytes().subspan(12345, some.size()), some.data()));
}
TEST_CASE("what is no file") {
  CHECK(error_of("/no/such/file") == "/no/such/file: cannot be opened: No such file or directory");
  CHECK(error_of("/") == "/: is a directory");
  CHECK(error_of("/dev/null") == "/dev/null: is a pipe or a device; copy it into a file");
  const file_with f("a pipe comes here");
  std::remove(f.path.c_str());
  REQUIRE(::mkfifo(f.path.c_str(), 0600) == 0);
  CHECK(error_of(f.path) == f.path + ": is a pipe or a device; copy it into a file");  // without waiting
}
