#include "tenon/io/idx.hpp"

#include "support/temporary_file.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

using namespace tenon;

namespace {

// A file of this type and these extents, followed by these bytes.
std::string idx(int type, const std::vector<unsigned>& extents, const std::string& data) {
  std::string file{'\0', '\0', static_cast<char>(type), static_cast<char>(extents.size())};
  for (const unsigned e : extents)
    for (const int shift : {24, 16, 8, 0}) file += static_cast<char>(e >> shift & 255);
  return file + data;
}
template <class T = float>
std::string error_of(const std::string& bytes) {
  const file_with f(bytes);
  try {
    io::read_idx<T>(f.path);
  } catch (const data_error& error) { return std::string(error.what()).substr(f.path.size()); }
  return "no error";
}
template <class T>
xt::xarray<T> read(const std::string& bytes) {
  const file_with f(bytes);
  return io::read_idx<T>(f.path);
}

}  // namespace

TEST_CASE("images and labels, as numbers of any type that they fit into") {
  const std::string bytes = idx(8, {2, 2, 3}, std::string("\0\1\2\3\4\5\6\7\x08\x09\xFE\xFF", 12));
  const auto images = read<float>(bytes);
  REQUIRE(images.dimension() == 3);
  CHECK((images.shape(0) == 2 && images.shape(1) == 2 && images.shape(2) == 3));
  CHECK((images(0, 0, 0) == 0 && images(0, 1, 2) == 5 && images(1, 0, 1) == 7 && images(1, 1, 2) == 255));
  CHECK(read<int>(bytes)(1, 1, 1) == 254);
  CHECK(read<unsigned char>(idx(8, {3}, "\7\x02\x01")) == xt::xarray<unsigned char>{7, 2, 1});
}
TEST_CASE("numbers of several bytes stand with the highest first") {
  CHECK(read<int>(idx(9, {2}, "\xFF\x05")) == xt::xarray<int>{-1, 5});
  CHECK(read<int>(idx(11, {2}, "\xFF\xFE\x01\x02")) == xt::xarray<int>{-2, 258});
  CHECK(read<long>(idx(12, {1}, std::string("\0\1\0\3", 4))) == xt::xarray<long>{65539});
  CHECK(read<double>(idx(12, {1}, std::string("\0\1\0\3", 4))) == xt::xarray<double>{65539});
  CHECK(read<float>(idx(13, {2}, std::string("\x3F\xC0\0\0\xC0\0\0\0", 8))) == xt::xarray<float>{1.5f, -2});
  CHECK(read<float>(idx(14, {1}, std::string("\x3F\xD0\0\0\0\0\0\0", 8))) == xt::xarray<float>{0.25f});
}
TEST_CASE("a number by itself, and none at all") {
  CHECK(read<float>(idx(8, {}, "\5"))() == 5);
  const auto none = read<float>(idx(8, {0, 28}, ""));
  CHECK((none.size() == 0 && none.shape(1) == 28));
}
TEST_CASE("what is no such file is named with what was expected") {
  CHECK(error_of("") == ": is not an IDX file: it does not start with two zero bytes, a type and a rank");
  CHECK(error_of("PNG!") == ": is not an IDX file: it does not start with two zero bytes, a type and a rank");
  CHECK(error_of(idx(10, {1}, "x")) ==
        ": has type 10 of the IDX format; 8, 9, 11, 12, 13 and 14 can be read");
  CHECK(error_of(idx(8, {2, 3}, "").substr(0, 10)) == ": is cut off: it ends within its 2 extents");
  CHECK(error_of(idx(8, {2, 3}, "12345")) ==
        ": an array of shape [2, 3] of uint8 has 6 bytes, the file has 5");
  CHECK(error_of(idx(8, {2, 3}, "1234567")) ==
        ": an array of shape [2, 3] of uint8 has 6 bytes, the file has 7");
  CHECK(error_of(idx(8, {~0u, ~0u, ~0u}, "")) ==
        ": an array of shape [4294967295, 4294967295, 4294967295] of uint8 has 2^64 or more bytes, the file "
        "has "
        "0");
  CHECK(error_of<signed char>(idx(8, {1}, "\xFF")) == ": element 0 is 255, which does not fit into int8");
  CHECK(error_of("\x1F\x8B\x08") ==
        ": is packed by gzip: unpack it, or write io::read_idx<float>(path, io::gzipped) with "
        "<tenon/io/deflate.hpp>");
  CHECK_THROWS_AS(io::read_idx<float>("/no/such/file"), data_error);
}
TEST_CASE("what unpacks a file says whether it could") {
  const file_with f("packed");
  const auto none = io::read_idx<int>(f.path, [](std::span<const std::byte> from) {
    CHECK(from.size() == 6);
    const std::string made = idx(8, {1}, "\7");
    const auto bytes = std::as_bytes(std::span(made));
    return std::optional(std::vector<std::byte>(bytes.begin(), bytes.end()));
  });
  CHECK(none == xt::xarray<int>{7});
  CHECK_THROWS_WITH_AS(
      io::read_idx<int>(
          f.path, [](std::span<const std::byte>) -> std::optional<std::vector<std::byte>> { return {}; }),
      (f.path + ": cannot be unpacked: it is damaged, or of another format").c_str(), data_error);
}
