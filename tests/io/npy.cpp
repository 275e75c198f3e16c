#include "tenon/io/npy.hpp"

#include "support/temporary_file.hpp"
#include "tenon/io/npz.hpp"

#include <doctest/doctest.h>
#include <xtensor/xmath.hpp>
#include <xtensor/xview.hpp>

#include <array>
#include <vector>

using namespace tenon;

namespace {

const std::string files = TENON_SOURCE_DIR "/tests/io/files/";

template <class T>
std::string error_of(const std::string& path) {
  try {
    io::read_npy<T>(path);
  } catch (const data_error& error) {
    const std::string message = error.what();
    CHECK(message.substr(0, path.size()) == path);
    return message.substr(path.size());
  }
  return "no error";
}
// The error of a file of version 1.0 with this header and data.
std::string error_of_header(const std::string& header, const std::string& data = "") {
  const auto length = static_cast<std::uint16_t>(header.size());
  const file_with f(std::string("\x93NUMPY\1\0", 8) + std::string(reinterpret_cast<const char*>(&length), 2) +
                    header + data);
  return error_of<float>(f.path);
}
template <class T>
void check_numbers(const xt::xarray<T>& x, double factor, double shift) {
  REQUIRE(x.dimension() == 3);
  REQUIRE(x.shape(0) == 2);
  REQUIRE(x.shape(1) == 3);
  REQUIRE(x.shape(2) == 4);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k) CHECK(double(x(i, j, k)) == factor * ((i * 3 + j) * 4 + k) + shift);
}

}  // namespace

TEST_CASE("NumPy's arrays, in all orders of bytes and of axes") {
  check_numbers(io::read_npy<float>(files + "float32.npy"), 0.5, 0);
  check_numbers(io::read_npy<double>(files + "float32.npy"), 0.5, 0);
  check_numbers(io::read_npy<float>(files + "version2.npy"), 0.5, 0);
  check_numbers(io::read_npy<float>(files + "version3.npy"), 0.5, 0);
  check_numbers(io::read_npy<float>(files + "float16_fortran.npy"), 1, 0);
  check_numbers(io::read_npy<double>(files + "fortran_big_endian.npy"), 1, 0);
  check_numbers(io::read_npy<long>(files + "int64_big_endian.npy"), 1, -12);
  check_numbers(io::read_npy<signed char>(files + "int64_big_endian.npy"), 1, -12);
  check_numbers(io::read_npy<float>(files + "int64_big_endian.npy"), 1, -12);
  check_numbers(io::read_npy<int>(files + "uint8.npy"), 1, 0);
  CHECK(io::read_npy<short>(files + "vector.npy") == xt::xarray<short>{1, -2, 300});
  CHECK(io::read_npy<bool>(files + "bool.npy")(0, 1, 2));
  CHECK_FALSE(io::read_npy<bool>(files + "bool.npy")(0, 1, 3));
  CHECK(io::read_npy<int>(files + "bool.npy")(1, 2, 1) == 1);
  const auto scalar = io::read_npy<float>(files + "scalar.npy");
  CHECK(scalar.dimension() == 0);
  CHECK(scalar() == 2.5f);
  const auto empty = io::read_npy<float>(files + "empty.npy");
  CHECK(empty.dimension() == 2);
  CHECK(empty.shape(0) == 3);
  CHECK(empty.size() == 0);
}
// The bytes of 1 and of -2, of every size, the highest byte first.
TEST_CASE("numbers whose high byte comes first, of every size") {
  const auto check_type = [](const std::string& type, const std::string& one, const std::string& minus_two) {
    CAPTURE(type);
    const std::string header = "{'descr': '>" + type + "', 'fortran_order': False, 'shape': (2,)}";
    const file_with f(std::string("\x93NUMPY\1\0", 8) + static_cast<char>(header.size()) + '\0' + header +
                      one + minus_two);
    CHECK(io::read_npy<double>(f.path) == xt::xarray<double>{1, -2});
  };
  check_type("i2", {"\0\1", 2}, "\xFF\xFE");
  check_type("f2", {"\x3C\0", 2}, {"\xC0\0", 2});
  check_type("i4", {"\0\0\0\1", 4}, "\xFF\xFF\xFF\xFE");
  check_type("f4", {"\x3F\x80\0\0", 4}, {"\xC0\0\0\0", 4});
  check_type("f8", {"\x3F\xF0\0\0\0\0\0\0", 8}, {"\xC0\0\0\0\0\0\0\0", 8});
}
TEST_CASE("numbers that do not fit, and what is no number") {
  CHECK(error_of<unsigned char>(files + "vector.npy") == ": element 1 is -2, which does not fit into uint8");
  CHECK(error_of<signed char>(files + "vector.npy") == ": element 2 is 300, which does not fit into int8");
  CHECK(error_of<unsigned>(files + "int64_big_endian.npy") ==
        ": element 0 is -12, which does not fit into uint32");
  CHECK(error_of<int>(files + "float32.npy") ==
        ": holds float32, expected whole numbers; read it as float or double");
  CHECK(error_of<bool>(files + "uint8.npy") == ": holds uint8, expected bool");
  const std::string readable =
      "; bool, int8 to int64, uint8 to uint64, float16, float32 and float64 can be read";
  CHECK(error_of<float>(files + "complex.npy") == ": holds numbers of type '<c16'" + readable);
  CHECK(error_of<float>(files + "words.npy") == ": holds numbers of type '<U1'" + readable);
  CHECK(error_of<float>(files + "objects.npy") == ": holds numbers of type '|O'" + readable);
  CHECK(error_of<float>(files + "records.npy") ==
        ": holds records of several fields; save each field as an array of its own");
}
TEST_CASE("what is written has NumPy's bytes") {
  const file_with f("an array is written here");
  for (const char* name : {"float32", "scalar", "empty", "vector", "uint8", "bool"}) {
    const std::string path = files + name + ".npy", text = name;
    if (text == "float32") io::write_npy(f.path, io::read_npy<float>(path));
    else if (text == "vector") io::write_npy(f.path, io::read_npy<short>(path));
    else if (text == "uint8") io::write_npy(f.path, io::read_npy<unsigned char>(path));
    else if (text == "bool") io::write_npy(f.path, io::read_npy<bool>(path));
    else io::write_npy(f.path, io::read_npy<double>(path));
    CHECK_MESSAGE(detail::read_file(f.path) == detail::read_file(path), name);
  }
}
TEST_CASE("views, columns and lazy expressions are written in C order") {
  const file_with f("expressions are written here");
  std::vector<float> numbers(24);
  for (std::size_t k = 0; k < 24; ++k) numbers[k] = 0.5f * float(k);
  const view<const float> transposed(numbers.data(), {4, 3, 2}, {1, 4, 12});
  io::write_npy(f.path, transposed);
  const auto x = io::read_npy<float>(f.path);
  CHECK(x.shape(0) == 4);
  CHECK(x(3, 1, 1) == 0.5f * (3 + 4 + 12));
  const auto file = io::read_npy<float>(files + "float32.npy");
  io::write_npy(f.path, file * 2 + 1);
  check_numbers(io::read_npy<float>(f.path), 1, 1);
  const xt::xarray<float, xt::layout_type::column_major> columns = file;
  io::write_npy(f.path, columns);
  check_numbers(io::read_npy<float>(f.path), 0.5, 0);
  io::write_npy(f.path, xt::view(file, 1));
  CHECK(io::read_npy<float>(f.path)(2, 3) == 11.5f);
}
TEST_CASE("files that are cut off, too long, or none of this kind") {
  const std::string whole = detail::read_file(files + "float32.npy");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const file_with f(whole.substr(0, size));
    CHECK(error_of<float>(f.path) != "no error");
  }
  const file_with longer(whole + "x"), other("PK\3\4 and so on"),
      version(std::string("\x93NUMPY\4\0\0\0", 10));
  CHECK(error_of<float>(longer.path) ==
        ": an array of shape [2, 3, 4] of float32 has 96 bytes, the file has 97");
  CHECK(error_of<float>(other.path) == ": is not an npy file: it does not start with \\x93NUMPY");
  CHECK(error_of<float>(version.path) == ": has version 4.0 of the npy format; 1.0, 2.0 and 3.0 can be read");
  CHECK(error_of<float>("/no/such/file") == ": cannot be opened: No such file or directory");
}
TEST_CASE("a view is written in its own order, whatever its strides") {
  const std::vector<float> numbers{1, 2, 3, 4, 5, 6};
  const view<const float> by_columns(numbers.data(), {3, 2}, {1, 3});
  const file_with file("an array"), archive("an archive");
  io::write_npy(file.path, by_columns);
  io::write_npz(archive.path, {{"x", by_columns}});
  for (const auto& read : {io::read_npy<float>(file.path), io::npz_file(archive.path).read<float>("x")})
    for (int r = 0; r < 3; ++r)
      for (int k = 0; k < 2; ++k) CHECK(read(r, k) == by_columns(r, k));
}
TEST_CASE("headers") {
  const std::string order = "'fortran_order': False", shape = "'shape': (2,)", type = "'descr': '<f4'",
                    data(8, '\0');
  CHECK(error_of_header("{" + shape + "," + type + ", " + order + "}", data) == "no error");
  CHECK(error_of_header("{'shape':(2L,),\"descr\":\"<f4\",'fortran_order':True,}\n", data) == "no error");
  CHECK(error_of_header("{" + type + order + "}", data) == ": its header lacks a '}' at character 15");
  CHECK(error_of_header("{" + type + ", " + order + "}", data) == ": its header has no 'shape'");
  CHECK(error_of_header("{}", data) == ": its header has no 'descr'");
  CHECK(error_of_header("{" + type + ", " + type + "}", data) ==
        ": its header has the key 'descr' twice, or does not know it");
  CHECK(error_of_header("{'x': 1}", data) == ": its header has the key 'x' twice, or does not know it");
  CHECK(error_of_header("{" + type + "} {", data) == ": its header has text after its end");
  CHECK(error_of_header("{'descr': '<f4", data) == ": its header ends within a string");
  CHECK(error_of_header("{'fortran_order': 0}", data) ==
        ": fortran_order in its header is not True or False");
  CHECK(error_of_header("{'shape': (2)}", data) == ": the shape in its header is a number, not a tuple");
  CHECK(error_of_header("{'shape': (-2,)}", data) ==
        ": the shape in its header has no whole number at character 11");
  CHECK(error_of_header("{'shape': (18446744073709551616,)}") ==
        ": the shape in its header has 2^64 elements or more");
  CHECK(error_of_header("{" + type + ", " + order + ", 'shape': (4294967296, 4294967296)}") ==
        ": an array of shape [4294967296, 4294967296] of float32 has 2^64 or more bytes, the file has 0");
  CHECK(error_of_header("{'descr': '|f4'}").find("holds numbers of type '|f4'") != std::string::npos);
  CHECK(error_of_header("{'descr': ''}").find("holds numbers of type ''") != std::string::npos);
}
