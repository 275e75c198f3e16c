#include "tenon/io/zip.hpp"

#include "support/temporary_file.hpp"

#include <doctest/doctest.h>

#include <functional>

using namespace tenon;
using namespace tenon::detail;

namespace {

std::span<const std::byte> raw_bytes(const std::string& text) { return std::as_bytes(std::span(text)); }

std::vector<zip_entry> parse(const std::string& archive) {
  const std::string path = "zip";
  return zip_parser(path, raw_bytes(archive)).parse();
}
std::string parse_error(const std::string& archive) {
  try {
    parse(archive);
  } catch (const data_error& error) { return error.what(); }
  return "no error";
}
std::string archive_of(std::initializer_list<std::pair<std::string, std::string>> entries) {
  const file_with f("an archive is written here");
  zip_replacement file(f.path);
  for (const auto& [name, text] : entries) {
    const std::string front = text.substr(0, text.size() / 2), back = text.substr(text.size() / 2);
    file.write(name, {raw_bytes(front), raw_bytes(back)});
  }
  file.commit();
  return read_file(f.path);
}
// The archive with a number of `size` bytes replaced at a place counted from its end.
std::string with(std::string archive, std::size_t from_end, std::uint64_t value, std::size_t size) {
  for (std::size_t k = 0; k < size; ++k)
    archive[archive.size() - from_end + k] = static_cast<char>(value >> 8 * k & 0xFF);
  return archive;
}

}  // namespace

TEST_CASE("the check sum of zip") {
  CHECK(crc32({}) == 0);
  CHECK(crc32(raw_bytes("123456789")) == 0xCBF43926u);  // the standard check value of CRC-32
  CHECK(crc32(raw_bytes("6789"), crc32(raw_bytes("12345"))) == 0xCBF43926u);
}
TEST_CASE("entries that are written are read, by name") {
  const std::string archive =
      archive_of({{"b", "hello"}, {"a\xC3\xBC", ""}, {"c/d", std::string(1000, 'x')}});
  const auto entries = parse(archive);
  REQUIRE(entries.size() == 3);
  CHECK(entries[0].name == "a\xC3\xBC");
  CHECK(entries[0].data.empty());
  CHECK(entries[1].name == "b");
  std::vector<std::byte> unpacked;
  const auto hello = unpack("zip", entries[1], nullptr, unpacked);
  CHECK(std::string(reinterpret_cast<const char*>(hello.data()), hello.size()) == "hello");
  CHECK(entries[2].size == 1000);
  CHECK(parse(archive_of({})).empty());
  CHECK(parse(archive_of({{"a", "x"}}).substr(0).replace(0, 0, "")).size() == 1);
}
TEST_CASE("a comment at the end") {
  const std::string archive = archive_of({{"a", "x"}});
  CHECK(parse(with(archive, 2, 5, 2) + "hello").size() == 1);
  CHECK(parse_error(archive + "x") ==
        "zip: is not a zip archive, or is cut off: it has no list of entries at its end");
}
TEST_CASE("an archive that is cut off anywhere") {
  const std::string archive = archive_of({{"a", "x"}, {"b", "yz"}});
  for (std::size_t size = 0; size < archive.size(); ++size)
    CHECK(parse_error(archive.substr(0, size)) ==
          "zip: is not a zip archive, or is cut off: it has no list of entries at its end");
}
TEST_CASE("what is wrong with an entry") {
  // 22 bytes of the end, before them an entry of the list with 46 bytes and a name of one, before it the data.
  const std::string archive = archive_of({{"a", "hello"}});
  const auto list = [](std::size_t field) { return 22 + 47 - field; };
  const auto local = [](std::size_t field) { return 22 + 47 + 5 + 31 - field; };
  CHECK(parse_error(with(archive, list(0), 0, 4)) ==
        "zip: is a broken zip archive: there is no entry at byte 36 of its list");
  CHECK(parse_error(with(archive, list(8), 1, 2)) == "zip: entry 'a' is encrypted");
  CHECK(parse_error(with(archive, list(10), 12, 2)) ==
        "zip: entry 'a' is compressed by method 12; stored and deflated entries can be read");
  CHECK(parse_error(with(archive, list(20), 4, 4)) == "zip: entry 'a' is stored in 4 bytes and has 5");
  CHECK(parse_error(with(with(archive, list(20), 6, 4), list(24), 6, 4)) ==
        "zip: entry 'a' is cut off: it has 6 bytes at 31, the list follows at 36");
  CHECK(parse_error(with(with(archive, list(10), 8, 2), list(24), 1u << 30, 4)) ==
        "zip: entry 'a' cannot have 1073741824 bytes: deflated, it has 5");
  CHECK(parse_error(with(archive, list(42), 1, 4)) ==
        "zip: entry 'a' is not at byte 1, where the list has it");
  CHECK(parse_error(with(archive, list(42), 0xFFFFFF, 4)) ==
        "zip: entry 'a' is not at byte 16777215, where the list has it");
  CHECK(parse_error(with(archive, list(46), 'b', 1)) == "zip: entry 'b' has another name at byte 0");
  CHECK(parse_error(with(archive, local(28), 9, 2)) ==
        "zip: entry 'a' is cut off: it has 5 bytes at 40, the list follows at 36");
  CHECK(parse_error(with(archive, list(42), 0xFFFFFFFF, 4)) ==
        "zip: entry 'a' is not at byte 4294967295, where the list has it");
  CHECK(parse_error(with(archive, list(28), 0xFFFF, 2)) ==
        "zip: is a broken zip archive: it ends within a name");
  CHECK(parse_error(with(archive, list(32), 9, 2)).find("its list of entries has 47 bytes, it needs 56") !=
        std::string::npos);
  CHECK(parse_error(with(archive, 22 - 6, 1, 2)) == "zip: is a part of a split zip archive; join its parts");
  CHECK(parse_error(with(archive, 22 - 10, 2, 2)) == "zip: is a part of a split zip archive; join its parts");
  CHECK(parse_error(with(with(archive, 22 - 8, 2, 2), 22 - 10, 2, 2)) ==
        "zip: is a broken zip archive: its list of 2 entries has 47 bytes at 36, its end is at 83");
  CHECK(parse_error(with(archive, 22 - 16, 99, 4)) ==
        "zip: is a broken zip archive: its list of 1 entries has 47 bytes at 99, its end is at 83");
  CHECK(parse_error(with(archive, 22 - 16, 0xFFFFFFFF, 4)) ==
        "zip: is a broken zip archive: it has no 64-bit record at its end");
  const std::string twice = archive_of({{"a", "x"}, {"a", "y"}});
  CHECK(parse_error(twice) == "zip: has two entries 'a'");
  CHECK(parse_error(with(twice, 22 + 47 - 42, 0, 4)) == "zip: entry 'a' overlaps 'a'");
}
TEST_CASE("damage shows in the check sum") {
  std::string archive = archive_of({{"a", "hello"}});
  archive[31 + 2] = 'L';
  const auto entries = parse(archive);
  std::vector<std::byte> unpacked;
  CHECK_THROWS_WITH_AS(unpack("zip", entries[0], nullptr, unpacked),
                       "zip: entry 'a' is damaged: its check sum is another", data_error);
}
TEST_CASE("sizes of 64 bits, as zipfile writes them where it must") {
  // The entry's extra field and the record at the end, written by hand.
  const std::string small = archive_of({{"a", "hello"}});
  const auto number = [](std::uint64_t value, int size) {
    std::string bytes;
    for (int k = 0; k < size; ++k) bytes += static_cast<char>(value >> 8 * k & 0xFF);
    return bytes;
  };
  std::string list = small.substr(36, 47);
  list.replace(20, 4, number(0xFFFFFFFF, 4))
      .replace(24, 4, number(0xFFFFFFFF, 4))
      .replace(30, 2, number(32, 2))
      .replace(42, 4, number(0xFFFFFFFF, 4));
  list +=
      number(7, 2) + number(0, 2) + number(1, 2) + number(24, 2) + number(5, 8) + number(5, 8) + number(0, 8);
  const std::uint64_t end = 36 + list.size();
  const auto archive = [&](std::uint64_t where) {
    return small.substr(0, 36) + list + number(0x06064b50, 4) + number(44, 8) + number(45, 2) +
           number(45, 2) + number(0, 8) + number(1, 8) + number(1, 8) + number(list.size(), 8) +
           number(36, 8) + number(0x07064b50, 4) + number(0, 4) + number(where, 8) + number(1, 4) +
           number(0x06054b50, 4) + number(0, 4) + number(0xFFFF, 2) + number(0xFFFF, 2) +
           number(0xFFFFFFFF, 4) + number(0xFFFFFFFF, 4) + number(0, 2);
  };
  const auto entries = parse(archive(end));
  REQUIRE(entries.size() == 1);
  CHECK(entries[0].size == 5);
  CHECK(entries[0].data.size() == 5);
  CHECK(parse_error(archive(0)) == "zip: is a broken zip archive: it has no 64-bit record at its end");
  CHECK(parse_error(archive(~std::uint64_t{0})) ==
        "zip: is a broken zip archive: it has no 64-bit record at its end");
}
