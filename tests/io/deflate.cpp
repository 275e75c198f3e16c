// Needs zlib: see tests/CMakeLists.txt.
#include "tenon/io/deflate.hpp"

#include "support/temporary_file.hpp"
#include "tenon/io/idx.hpp"
#include "tenon/io/npz.hpp"

#include <doctest/doctest.h>

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
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(text.data())), stream.avail_in = 3000;
  stream.next_out = reinterpret_cast<Bytef*>(packed.data()), stream.avail_out = 200;
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
