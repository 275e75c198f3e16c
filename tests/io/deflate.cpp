// Needs zlib: see tests/CMakeLists.txt.
#include "tenon/io/deflate.hpp"

#include "support/temporary_file.hpp"
#include "tenon/io/idx.hpp"
#include "tenon/io/npz.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

using namespace tenon;

namespace {
const std::string files = TENON_SOURCE_DIR "/tests/io/files/";
}

TEST_CASE("numpy.savez_compressed's arrays") {
  const io::npz_file file(files + "deflated.npz", io::deflated), stored(files + "stored.npz");
  CHECK(file.names() == stored.names());
  CHECK(file.read<float>("x") == stored.read<float>("x"));
  CHECK(file.read<int>("y") == stored.read<int>("y"));
}
TEST_CASE("the unpacked bytes must be as many as the archive says, and the packed ones end there") {
  const std::vector<std::byte> text(3000, std::byte{'x'});
  std::vector<std::byte> packed(200), unpacked(3000), more(3001), fewer(2999);
  z_stream stream{};
  REQUIRE(::deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(text.data()));
  stream.avail_in = 3000;
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = 200;
  REQUIRE(::deflate(&stream, Z_FINISH) == Z_STREAM_END);
  packed.resize(200 - stream.avail_out);
  ::deflateEnd(&stream);

  CHECK(io::deflated(packed, unpacked));
  CHECK(unpacked == text);
  CHECK_FALSE(io::deflated(packed, more));
  CHECK_FALSE(io::deflated(packed, fewer));
  CHECK_FALSE(io::deflated(packed, {}));
  CHECK_FALSE(io::deflated(std::span(packed).first(packed.size() - 1), unpacked));
  CHECK_FALSE(io::deflated({}, unpacked));
  packed.push_back(std::byte{0});
  CHECK_FALSE(io::deflated(packed, unpacked));
  packed[0] = std::byte{7};  // a block of no known kind
  CHECK_FALSE(io::deflated(packed, unpacked));
}
// An archive with one deflated entry "x.npy", whose bytes are this header of NumPy's and a number of zeros.
std::string archive_of(const std::string& head, std::size_t zeros) {
  std::vector<std::byte> bytes(head.size() + zeros);
  std::memcpy(bytes.data(), head.data(), head.size());
  std::string packed(bytes.size() / 500 + 1000, '\0');
  z_stream stream{};
  REQUIRE(::deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  REQUIRE(::deflate(&stream, Z_FINISH) == Z_STREAM_END);
  packed.resize(packed.size() - stream.avail_out);
  ::deflateEnd(&stream);
  const auto number = [](std::size_t value, int size) {
    std::string text;
    for (int k = 0; k < size; ++k) text += static_cast<char>(value >> 8 * k & 0xFF);
    return text;
  };
  const auto crc = ::crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
  const std::string shared = number(20, 2) + number(0, 2) + number(8, 2) + number(0, 4) + number(crc, 4) +
                             number(packed.size(), 4) + number(bytes.size(), 4) + number(5, 2) + number(0, 2);
  const std::string entry = "PK\3\4" + shared + "x.npy" + packed;
  const std::string list =
      "PK\1\2" + number(20, 2) + shared + number(0, 2) + number(0, 8) + number(0, 4) + "x.npy";
  return entry + list + "PK\5\6" + number(0, 4) + number(1, 2) + number(1, 2) + number(list.size(), 4) +
         number(entry.size(), 4) + number(0, 2);
}
std::size_t most_unpacked = 0;  // by the next function at once
bool recorded(std::span<const std::byte> from, std::span<std::byte> to) {
  most_unpacked = std::max(most_unpacked, to.size());
  return io::deflated(from, to);
}
TEST_CASE("an array's header is compared with its size and type before the array is unpacked") {
  static constexpr std::size_t count = 1 << 22, size = 4 * count;
  const std::string right = archive_of(detail::npy_head(io::dtype::float32, {count}), size),
                    small = archive_of(detail::npy_head(io::dtype::float32, {3}), size),
                    none = archive_of("text", size);
  CHECK(right.size() < size / 900);
  const auto error = [](const std::string& bytes, auto number) -> std::string {
    const file_with file(bytes);
    most_unpacked = 0;
    try {
      const auto x = io::npz_file(file.path, recorded).read<decltype(number)>("x");
      CHECK(x.size() == count);
    } catch (const data_error& failed) { return std::string(failed.what()).substr(file.path.size()); }
    return "no error";
  };
  CHECK(error(right, 0.0f) == "no error");
  CHECK(most_unpacked > size);
  CHECK(error(right, 0) == ": x: holds float32, expected whole numbers; read it as float or double");
  CHECK(most_unpacked <= 1 << 16);
  CHECK(error(right, false) == ": x: holds float32, expected bool");
  CHECK(most_unpacked <= 1 << 16);
  CHECK(error(small, 0.0f) == ": x: an array of shape [3] of float32 has 12 bytes, the file has 16777216");
  CHECK(most_unpacked <= 1 << 16);
  CHECK(error(none, 0.0f) == ": x: is not an npy file: it does not start with \\x93NUMPY");
  CHECK(most_unpacked <= 1 << 16);
}
TEST_CASE("nothing, deflated") {
  const std::vector<std::byte> packed{std::byte{3}, std::byte{0}};
  CHECK(io::deflated(packed, {}));
}
TEST_CASE("a damaged entry") {
  std::string bytes = detail::read_file(files + "deflated.npz");
  bytes[60] = static_cast<char>(bytes[60] ^ 0x55);
  const file_with damaged(bytes);
  CHECK_THROWS_AS(io::npz_file(damaged.path, io::deflated).read<float>("x"), data_error);
}
TEST_CASE("of a packed IDX file no more is unpacked than its array has") {
  const std::vector<Bytef> zeros(1 << 22);
  const auto packed = [&](const std::string& head) {
    std::string bytes = head + std::string(zeros.begin(), zeros.end()), to(100000, '\0');
    z_stream stream{};
    REQUIRE(::deflateInit2(&stream, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(to.data());
    stream.avail_out = static_cast<uInt>(to.size());
    REQUIRE(::deflate(&stream, Z_FINISH) == Z_STREAM_END);
    to.resize(to.size() - stream.avail_out);
    ::deflateEnd(&stream);
    return to;
  };
  static std::size_t most_of_file = 0;
  const detail::bounded_unpacker counted = [](std::span<const std::byte> from, std::size_t most) {
    auto bytes = io::gzipped(from, most);
    if (bytes) most_of_file = std::max(most_of_file, bytes->size());
    return bytes;
  };
  const auto error = [&](const std::string& head, auto number) -> std::string {
    const file_with file(packed(head));
    most_of_file = 0;
    try {
      io::read_idx<decltype(number)>(file.path, counted);
    } catch (const data_error& failed) { return std::string(failed.what()).substr(file.path.size()); }
    return "no error";
  };
  const std::string whole{0, 0, 8, 1, 0, 64, 0, 0}, small{0, 0, 8, 1, 0, 0, 0, 3},
      large{0, 0, 8, 1, 0, 127, 0, 0}, floats{0, 0, 13, 1, 0, 16, 0, 0};
  CHECK(error(whole, 0) == "no error");
  CHECK(most_of_file == 8 + zeros.size());
  CHECK(error(small, 0) ==
        ": an array of shape [3] of uint8 has 3 bytes, the file has 4");  // and more, which are not unpacked
  CHECK(most_of_file <= 1024);
  CHECK(error(floats, 0) == ": holds float32, expected whole numbers; read it as float or double");
  CHECK(most_of_file <= 1024);
  CHECK(error("text", 0.0f) ==
        ": is not an IDX file: it does not start with two zero bytes, a type and a rank");
  CHECK(most_of_file <= 1024);
  CHECK(error(large, 0) == ": an array of shape [8323072] of uint8 has 8323072 bytes, the file has 4194304");
}
TEST_CASE("what gzip has packed") {
  const std::string path = TENON_SOURCE_DIR "/tests/io/fuzz/corpus/idx/packed.gz",
                    packed = detail::read_file(path);
  CHECK(io::read_idx<int>(path, io::gzipped) == xt::xarray<int>{{0, 1, 2}, {3, 4, 5}});
  const auto unpacked = [](const std::string& bytes) { return io::gzipped(std::as_bytes(std::span(bytes))); };
  CHECK(unpacked(packed)->size() == 18);
  for (std::size_t k = 0; k < packed.size(); ++k) CHECK_FALSE(unpacked(packed.substr(0, k)));
  CHECK_FALSE(unpacked(packed + "x"));
  CHECK_FALSE(unpacked("x" + packed));
  for (const std::size_t at :
       {packed.size() - 1, packed.size() - 4, packed.size() - 5}) {  // its length, its check sum
    std::string damaged = packed;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    CHECK_FALSE(unpacked(damaged));
  }
}
