// The bytes of NumPy's array files: headers in every spelling, numbers in either byte order, against arrays computed index by index; and
// the header that is written before an array.
#include <tenon/io/npy_format.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace tenon::test {

std::string file_of(const std::string& header, const std::string& numbers, int major = 1) {
  std::string file = "\x93NUMPY";
  file += char(major);
  file += '\0';
  for (int byte = 0; byte < (major == 1 ? 2 : 4); ++byte) file += char(header.size() >> 8 * byte & 255);
  return file + header + numbers;
}
detail::npy_array parsed(const std::string& where, const std::string& file) {
  return detail::parse_npy(where, {reinterpret_cast<const std::byte*>(file.data()), file.size()});
}
std::string refusal(const std::string& file) {
  try {
    parsed("a.npy", file);
  } catch (const data_error& e) { return e.what(); }
  return "";
}
bool has(const std::string& whole, const char* part) {
  INFO(whole);
  CHECK(whole.find(part) != std::string::npos);
  return true;
}

// The bytes of a 16-bit number.
std::string bytes_of(int number, bool is_big_endian) {
  const char low = char(number & 255), high = char(number >> 8 & 255);
  return is_big_endian ? std::string{high, low} : std::string{low, high};
}

TEST_CASE("numbers in every order are those of their indices") {
  constexpr int height = 3, width = 4, depth = 5;
  const auto number_at = [](int i, int j, int k) { return 1000 * i + 100 * j + k - 700; };
  for (const bool is_fortran : {false, true})
    for (const bool is_big_endian : {false, true}) {
      std::string numbers;
      if (is_fortran) {  // the first index changes fastest
        for (int k = 0; k < depth; ++k)
          for (int j = 0; j < width; ++j)
            for (int i = 0; i < height; ++i) numbers += bytes_of(number_at(i, j, k), is_big_endian);
      } else {
        for (int i = 0; i < height; ++i)
          for (int j = 0; j < width; ++j)
            for (int k = 0; k < depth; ++k) numbers += bytes_of(number_at(i, j, k), is_big_endian);
      }
      const std::string where = "a.npy",
                        file = file_of(std::string("{'descr': '") + (is_big_endian ? ">" : "<") +
                                           "i2', 'fortran_order': " + (is_fortran ? "True" : "False") +
                                           ", 'shape': (3, 4, 5), }\n",
                                       numbers);
      const detail::npy_array array = parsed(where, file);
      REQUIRE(array.tensor.shape == std::vector<std::size_t>{3, 4, 5});
      CHECK(array.tensor.type == io::dtype::int16);
      const auto* at = static_cast<const std::byte*>(array.tensor.data);
      for (int i = 0; i < height; ++i)
        for (int j = 0; j < width; ++j)
          for (int k = 0; k < depth; ++k, at += 2) {
            std::int16_t got;
            std::memcpy(&got, at, 2);
            CHECK(got == number_at(i, j, k));
          }
      // An array in C order is read in place.
      CHECK((array.tensor.data == reinterpret_cast<const std::byte*>(file.data() + file.size() - 120)) ==
            (!is_fortran && !is_big_endian));
    }
}

TEST_CASE("a header is a dict, however it is spelled") {
  for (const char* header : {"{'descr': '<u4', 'fortran_order': False, 'shape': (2,), }",
                             "{\"shape\":(2,),\"descr\":\"<u4\",\"fortran_order\":False}",
                             "  { 'fortran_order' : False ,\n 'shape' : ( 2L , ) , 'descr' : '<u4' }  \n"})
    for (int major = 1; major <= 3; ++major) {
      const std::string where = "a.npy", file = file_of(header, "abcdefgh", major);
      const detail::npy_array array = parsed(where, file);
      CHECK(array.tensor.shape == std::vector<std::size_t>{2});
      CHECK(array.tensor.type == io::dtype::uint32);
      CHECK(std::memcmp(array.tensor.data, "abcdefgh", 8) == 0);
    }
  const std::string where = "one.npy",
                    one = file_of("{'descr': '|b1', 'fortran_order': True, 'shape': ()}", "x");
  CHECK(parsed(where, one).tensor.shape.empty());
}

TEST_CASE("what is no array") {
  const auto header = [](const char* text) { return refusal(file_of(text, "abcd")); };
  has(header("{'descr': '<i4', 'fortran_order': False}"), "its header has no 'shape'");
  has(header("{'descr': '<i4', 'descr': '<i4', 'fortran_order': False, 'shape': (1,)}"), "'descr' twice");
  has(header("{'descr': '<i4', 'fortran_order': False, 'shape': (1)}"), "is a number, not a tuple");
  has(header("{'descr': '|i4', 'fortran_order': False, 'shape': (1,)}"), "numbers of type '|i4'");
  has(header("{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}"), "numbers of type '<c8'");
  has(header("{'descr': [('x', '<i4')], 'fortran_order': False, 'shape': (1,)}"),
      "records of several fields");
  has(header("{'descr': '<i4', 'fortran_order': 0, 'shape': (1,)}"), "is not True or False");
  has(header("{'descr': '<i4', 'fortran_order': False, 'shape': (1,)} {"), "has text after its end");
  has(header("{'descr': '<i4', 'fortran_order': False, 'shape': (18446744073709551616,)}"),
      "2^64 elements or more");
  has(header("{'descr': '<i4', 'fortran_order': False, 'shape': (2,)}"), "has 8 bytes, the file has 4");
  has(header("{'descr': '<i4"), "ends within a string");
  has(refusal(file_of("{}", "", 4)), "has version 4.0");
  has(refusal("NUMPY"), "is not an npy file");
  std::string cut = file_of("{'descr': '<i4', 'fortran_order': False, 'shape': (1,)}", "");
  cut.resize(cut.size() - 3);
  has(refusal(cut), "is cut off: its header has 55 bytes, the file 52 behind them");
}

TEST_CASE("what is written is read, and its numbers start at a multiple of 64") {
  for (int type = 0; type < 13; ++type) {
    if (type == int(io::dtype::bfloat16)) continue;  // NumPy has none
    for (const std::vector<std::size_t>& shape :
         {std::vector<std::size_t>{}, {1}, {12}, {3, 2}, {2, 1, 3}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}}) {
      const std::string head = detail::npy_head(io::dtype(type), shape);
      CHECK(head.size() % 64 == 0);
      CHECK(head.back() == '\n');
      std::size_t bytes = detail::size_of(io::dtype(type));
      for (std::size_t extent : shape) bytes *= extent;
      const std::string where = "a.npy", file = head + std::string(bytes, 'n');
      const detail::npy_array array = parsed(where, file);
      CHECK(array.tensor.type == io::dtype(type));
      CHECK(array.tensor.shape == shape);
      CHECK(array.ordered.empty());
    }
  }
  // Files that NumPy wrote.
  for (const char* name : {"float32", "vector", "scalar", "uint8", "bool", "empty"}) {
    std::ifstream in(std::string(TENON_SOURCE_DIR "/tests/io/files/") + name + ".npy", std::ios::binary);
    const std::string file(std::istreambuf_iterator<char>(in), {});
    const detail::npy_array array = parsed(name, file);
    const std::string head = detail::npy_head(array.tensor.type, array.tensor.shape);
    INFO(name);
    CHECK(file.substr(0, head.size()) == head);
  }
}

}  // namespace tenon::test
