#include "tenon/io/safetensors.hpp"

#include "support/temporary_file.hpp"
#include "tenon/tensor/view.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

using namespace tenon;

namespace {

const std::string files = TENON_SOURCE_DIR "/tests/io/files/";
const std::vector<float> numbers{1, 2, 3, 4, 5, 6, 7, 8};

// The length of the header, the header, the data.
std::string file_of(const std::string& header, const std::string& data = "") {
  const std::uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), 8) + header + data;
}
// The error of a file of these bytes, without its path.
std::string error_of(const std::string& bytes) {
  const file_with f(bytes);
  try {
    const io::safetensors_file file(f.path);
  } catch (const data_error& error) {
    const std::string message = error.what();
    CHECK(message.substr(0, f.path.size()) == f.path);
    return message.substr(f.path.size());
  }
  return "no error";
}
std::string tensor(const std::string& name, const std::string& type, const std::string& shape,
                   const std::string& offsets) {
  return "\"" + name + R"(":{"dtype":")" + type + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets +
         "}";
}
std::vector<double> values_of(const io::named_tensor& t) {
  std::vector<double> values(t.size());
  read_numbers(t, 0, t.size(), values.data());
  return values;
}
// CRC-32 by its definition, bit by bit.
std::uint32_t remainder_of(const std::string& bytes) {
  std::uint32_t rest = 0xFFFFFFFF;
  for (const char c : bytes) {
    rest ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) rest = (rest & 1) != 0 ? rest >> 1 ^ 0xEDB88320 : rest >> 1;
  }
  return ~rest;
}
template <class F>
std::string input_error_of(F f) {
  try {
    f();
  } catch (const input_error& error) { return error.what(); }
  return "no error";
}

}  // namespace

TEST_CASE("every type, as PyTorch wrote it") {
  const io::safetensors_file file(files + "types.safetensors");
  CHECK(file.metadata() == std::map<std::string, std::string>{{"\xC3\xBC"
                                                               "ber",
                                                               "a \"quoted\" line\n"}});
  CHECK(file.tensors().size() == 15);
  const double infinity = std::numeric_limits<double>::infinity();
  for (const char* name : {"f64", "f32", "f16", "bf16"}) {
    const io::named_tensor& t = file.at(name);
    CHECK(t.shape == std::vector<std::size_t>{8});
    const auto x = values_of(t);
    CHECK(x[0] == 0);
    CHECK(std::signbit(x[1]));
    CHECK(x[3] == -2.5);
    CHECK(std::abs(x[4] - 65504) <= (t.type == io::dtype::bfloat16 ? 32 : 0));
    CHECK(std::abs(x[5] - 6e-8) < 1e-9);
    CHECK(x[6] == infinity);
    CHECK(std::isnan(x[7]));
  }
  for (const int bits : {8, 16, 32, 64}) {
    CHECK(values_of(file.at("i" + std::to_string(bits))) ==
          std::vector{-std::ldexp(1, bits - 1), -1.0, std::ldexp(1, bits - 1) - 1});
    CHECK(values_of(file.at("u" + std::to_string(bits))) == std::vector{std::ldexp(1, bits) - 1, 0.0, 7.0});
  }
  CHECK(values_of(file.at("bool")) == std::vector{1.0, 0.0});
  CHECK(file.at("bool").type == io::dtype::boolean);
  CHECK(file.at("scalar").shape.empty());
  CHECK(values_of(file.at("scalar")) == std::vector{2.5});
  CHECK(file.at("empty").shape == std::vector<std::size_t>{3, 0, 2});
  CHECK(file.find("f8") == nullptr);
  CHECK_THROWS_WITH_AS(file.at("f8"), (files + "types.safetensors: has no tensor 'f8'").c_str(), data_error);
}
TEST_CASE("what is written has the bytes of Hugging Face's library, and they are read again") {
  const io::safetensors_file file(files + "types.safetensors");
  const file_with copy("types are written here");
  io::write_safetensors(copy.path, file.tensors(), file.metadata(), {.checksums = false});
  CHECK(detail::read_file(copy.path) == detail::read_file(files + "types.safetensors"));
  io::write_safetensors(copy.path, {});
  CHECK(detail::read_file(copy.path) == file_of("{}      "));
  CHECK(io::safetensors_file(copy.path).tensors().empty());
}
TEST_CASE("the metadata of a written file have the checksums of its tensors and of its header") {
  const file_with f("checksums");
  const std::vector<std::uint8_t> bytes{1, 2, 3};
  const std::vector<io::named_tensor> tensors{{"x", io::dtype::float32, {2}, numbers.data()},
                                              {"b:\"", io::dtype::uint8, {3}, bytes.data()},
                                              {"none", io::dtype::float32, {0}, nullptr}};
  io::write_safetensors(f.path, tensors, {{"rule", "adam"}});
  const auto text_of_crc = [](const std::string& text) {
    char digits[9];
    std::snprintf(digits, sizeof digits, "%08x", static_cast<unsigned>(remainder_of(text)));
    return std::string(digits);
  };
  const std::string file = detail::read_file(f.path);
  const auto has = [&](const std::string& name, const std::string& value) {
    return file.find("\"" + name + "\":\"" + value + "\"") != std::string::npos;
  };
  CHECK(has("tenon.crc32:x", text_of_crc(std::string(reinterpret_cast<const char*>(numbers.data()), 8))));
  CHECK(has("tenon.crc32:b:\\\"", text_of_crc("\1\2\3")));
  CHECK(has("tenon.crc32:none", "00000000"));
  const std::size_t own = file.find("\"tenon.crc32\":\"") + 15;
  std::string header = file.substr(8, file.size() - 8 - 11);
  header.replace(own - 8, 8, "00000000");
  CHECK(file.substr(own, 8) == text_of_crc(header));

  const io::safetensors_file read(f.path);
  CHECK(read.metadata() == std::map<std::string, std::string>{{"rule", "adam"}});  // only what was given
  const file_with again("written again");
  io::write_safetensors(again.path, read.tensors(), read.metadata());
  CHECK(detail::read_file(again.path) == file);
  io::write_safetensors(again.path, tensors, {{"rule", "adam"}}, {.checksums = false});
  CHECK(detail::read_file(again.path).find("crc32") == std::string::npos);
}
TEST_CASE("a file in which any one bit is wrong is refused, in all of its bytes") {
  const file_with f("every bit");
  io::write_safetensors(
      f.path,
      {{"ab", io::dtype::float32, {2, 3}, numbers.data()}, {"ac", io::dtype::int32, {2}, numbers.data()}},
      {{"step", "250"}});
  const std::string right = detail::read_file(f.path);
  for (std::size_t at = 0; at < right.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string wrong = right;
      wrong[at] = static_cast<char>(wrong[at] ^ 1 << bit);
      detail::write_file(f.path, wrong);
      bool is_right = false;
      try {
        const io::safetensors_file file(f.path);
        is_right = file.metadata().at("step") == "250" && file.tensors().size() == 2 &&
                   file.at("ab").shape == std::vector<std::size_t>{2, 3} &&
                   values_of(file.at("ab")) == std::vector<double>{1, 2, 3, 4, 5, 6} &&
                   file.at("ac").type == io::dtype::int32;
        // Only in the name under which the header's own checksum is found.
        is_right = is_right && wrong.find("\"tenon.crc32\"") == std::string::npos;
      } catch (const data_error&) { is_right = true; }
      INFO("bit ", bit, " of byte ", at);
      REQUIRE(is_right);
    }
}
TEST_CASE("what says that a file is damaged, and a file that has only some checksums") {
  const auto error = [](const std::string& metadata) {
    return error_of(file_of(R"({"__metadata__":{)" + metadata + "}," + tensor("a", "U8", "[1]", "[0,1]") +
                                "," + tensor("b", "U8", "[2]", "[1,3]") + "}",
                            "xyz"));
  };
  CHECK(error("") == "no error");
  const std::string b = R"("tenon.crc32:b":"0ff44862")";  // zlib.crc32(b"yz")
  CHECK(error(b) == "no error");
  CHECK(error(b + R"(,"tenon.crc32:gone":"12345678")") == "no error");
  const std::string remedy =
      "; take an older copy, or, if another program has changed the file, let it remove the metadata "
      "'tenon.crc32..'";
  CHECK(error(R"("tenon.crc32:b":"0ff44863")") ==
        ": tensor 'b' is damaged: expected the checksum 0ff44863, got 0ff44862" + remedy);
  CHECK(error(R"("tenon.crc32":"12345678")")
            .starts_with(": its header is damaged: expected the checksum 12345678, got "));
  CHECK(error(R"("tenon.crc32":"1")").find("'tenon.crc32' has not eight digits") != std::string::npos);
  CHECK(error(R"("tenon.crc32":"","tenon.crc32":"")").find("'tenon.crc32' has not eight digits") !=
        std::string::npos);
  CHECK(error(b + "," + b).find("'tenon.crc32:b' is twice in '__metadata__'") != std::string::npos);
}
TEST_CASE("views are written in C order, whatever their strides") {
  const file_with f("views are written here");
  std::vector<float> memory(24);
  for (std::size_t k = 0; k < memory.size(); ++k) memory[k] = static_cast<float>(k);
  const view<const float, 3> rows_of_time(memory.data(), {2, 3, 4},
                                          {4, 8, 1});  // as an output of two sequences
  const std::vector<int> whole{1, 2, 3};
  CHECK_THROWS_AS(rows_of_time.data(), std::invalid_argument);
  io::write_safetensors(f.path, {{"y", rows_of_time}, {"n", view<const int>(whole.data(), {3})}},
                        {{"a", "b"}});
  const io::safetensors_file file(f.path);
  CHECK(file.metadata().at("a") == "b");
  CHECK(file.at("y").type == io::dtype::float32);
  CHECK(file.at("n").type == io::dtype::int32);
  CHECK(file.at("y").shape == std::vector<std::size_t>{2, 3, 4});
  const std::vector<double> got = values_of(file.at("y"));
  for (std::size_t row = 0; row < 2; ++row)
    for (std::size_t step = 0; step < 3; ++step)
      for (std::size_t j = 0; j < 4; ++j)
        CHECK(got[(row * 3 + step) * 4 + j] == memory[(step * 2 + row) * 4 + j]);
  std::vector<io::tensor_copy> list;
  list.emplace_back("y", rows_of_time);
  io::write_safetensors(f.path, list);
  CHECK(values_of(io::safetensors_file(f.path).at("y")) == got);
}
TEST_CASE("an open file moves with its tensors") {
  io::safetensors_file a(files + "types.safetensors");
  const io::safetensors_file b = std::move(a);
  CHECK(values_of(b.at("scalar")) == std::vector{2.5});
}
TEST_CASE("the bytes of a tensor are copied, unless the file has become shorter") {
  const file_with f("");
  const std::vector<float> halves(5000, 2.5f);
  io::write_safetensors(f.path, {{"x", io::dtype::float32, {50, 100}, halves.data()},
                                 {"none", io::dtype::float32, {0}, nullptr}});
  const io::safetensors_file file(f.path);
  std::vector<float> copied(5000);
  file.copy_bytes(file.at("x"), copied.data());
  file.copy_bytes(file.at("none"), nullptr);
  CHECK(copied == halves);
  REQUIRE(::truncate(f.path.c_str(), 4096) == 0);
  CHECK_THROWS_WITH_AS(
      file.copy_bytes(file.at("x"), copied.data()),
      (f.path + ": tensor 'x' cannot be read any more: the file was cut off after it was opened").c_str(),
      data_error);
}
TEST_CASE("what the format allows") {
  const std::string data(reinterpret_cast<const char*>(numbers.data()), 12);
  const std::string empty = tensor("e", "F64", "[0,9]", "[4,4]"), b = tensor("b", "F32", "[1]", "[0,4]"),
                    a = tensor("a", "F32", "[1,2]", "[4,12]");
  CHECK(error_of(file_of("{" + a + "," + b + "," + empty + "}  \n", data)) == "no error");  // in any order
  CHECK(error_of(file_of("{}")) == "no error");
  CHECK(error_of(file_of(R"({"__metadata__":{}})")) == "no error");
  CHECK(error_of(file_of("{ \"x\" : {\"shape\": [], \"data_offsets\": [ 0 , 1 ], \"dtype\": \"U8\" } }",
                         "z")) == "no error");
}
TEST_CASE("files that are cut off, too long, or none of this kind") {
  CHECK(error_of("") == ": is not a safetensors file: expected at least 8 bytes, got 0");
  CHECK(error_of("1234567") == ": is not a safetensors file: expected at least 8 bytes, got 7");
  CHECK(error_of(std::string(8, '\0')) == ": is not a safetensors file: its header does not start with '{'");
  CHECK(error_of(file_of("{}").substr(0, 9)) ==
        ": is cut off: its header has 2 bytes, the file 1 behind them");
  CHECK(error_of(std::string("\1\xE1\xF5\5\0\0\0\0", 8)) ==
        ": is not a safetensors file: its header would have 100000001 bytes, at most 100000000 are allowed");
  CHECK(
      error_of(std::string(8, '\xFF') + "{}") ==
      ": is not a safetensors file: its header would have 18446744073709551615 bytes, at most 100000000 are "
      "allowed");
  CHECK(error_of(file_of(" {}")) == ": is not a safetensors file: its header does not start with '{'");
  CHECK(error_of(file_of("[]")) == ": is not a safetensors file: its header does not start with '{'");
  CHECK(error_of(file_of("{")) == ": JSON at byte 9: expected '\"', got the end of the text");
  CHECK(error_of(file_of("{} x")) == ": JSON at byte 11: expected the end of the text, got 'x'");
  CHECK(error_of(file_of("{\"\xFF\":1}")) == ": JSON at byte 10: a string is not UTF-8");
  const std::string whole = detail::read_file(files + "state_dict.safetensors");
  for (std::size_t size = 0; size < whole.size(); size += size < 16 ? 1 : 37)
    CHECK(error_of(whole.substr(0, size)) != "no error");
  CHECK(error_of(whole + '\0').find("the file has ") != std::string::npos);
}
TEST_CASE("tensors that do not fit the data") {
  const std::string two(8, 'x');
  const auto error = [](const std::string& tensors, const std::string& data) {
    return error_of(file_of("{" + tensors + "}", data));
  };
  CHECK(error(tensor("x", "F32", "[2]", "[0,9]"), two) ==
        ": tensor 'x' has the bytes 0 to 9 of the data, which has 8");
  CHECK(error(tensor("x", "F32", "[2]", "[8,0]"), two) ==
        ": tensor 'x' has the bytes 8 to 0 of the data, which has 8");
  CHECK(error(tensor("x", "F32", "[3]", "[0,8]"), two) ==
        ": tensor 'x' of shape [3] and dtype F32 has 12 bytes, its data_offsets 8");
  CHECK(error(tensor("x", "F32", "[1]", "[0,8]"), two) ==
        ": tensor 'x' of shape [1] and dtype F32 has 4 bytes, its data_offsets 8");
  CHECK(error(tensor("x", "F64", "[2]", "[0,8]"), two) ==
        ": tensor 'x' of shape [2] and dtype F64 has 16 bytes, its data_offsets 8");
  CHECK(error(tensor("x", "F32", "[4294967296,4294967296]", "[0,0]"), "") ==
        ": tensor 'x' of shape [4294967296, 4294967296] has 2^64 bytes or more");
  CHECK(error(tensor("x", "F32", "[4611686018427387904]", "[0,0]"), "") ==
        ": tensor 'x' of shape [4611686018427387904] has 2^64 bytes or more");
  CHECK(
      error(tensor("x", "F32", "[1]", "[4,8]"), two) ==
      ": tensor 'x' leaves a hole behind the tensor before it: it starts at byte 4 of the data, expected 0");
  CHECK(error(tensor("x", "F32", "[1]", "[0,4]") + "," + tensor("y", "F32", "[1]", "[0,4]"), two) ==
        ": tensor 'y' overlaps the tensor before it: it starts at byte 0 of the data, expected 4");
  CHECK(error(tensor("x", "F32", "[1]", "[0,4]") + "," + tensor("y", "U8", "[5]", "[3,8]"), two) ==
        ": tensor 'y' overlaps the tensor before it: it starts at byte 3 of the data, expected 4");
  CHECK(error(tensor("x", "F32", "[1]", "[0,4]"), two) ==
        ": its tensors have 4 bytes, the file has 8 behind its header");
  CHECK(error("", "x") == ": its tensors have 0 bytes, the file has 1 behind its header");
  CHECK(error(tensor("x", "F32", "[1]", "[0,4]") + "," + tensor("x", "F32", "[1]", "[4,8]"), two) ==
        ": tensor 'x' is there twice");
}
TEST_CASE("a tensor has all three members, in any order; the first that is missing is named") {
  const std::string names[]{"dtype", "shape", "data_offsets"}, values[]{R"("F32")", "[1]", "[0,4]"};
  std::vector<std::size_t> order{0, 1, 2};
  do {
    for (std::size_t given = 0; given <= order.size(); ++given) {
      std::string members, missing;
      for (std::size_t k = 0; k < given; ++k)
        members += (k > 0 ? ",\"" : "\"") + names[order[k]] + "\":" + values[order[k]];
      for (std::size_t m = 3; m-- > 0;)
        if (std::find(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(given), m) ==
            order.begin() + static_cast<std::ptrdiff_t>(given))
          missing = names[m];
      CHECK(error_of(file_of("{\"x\":{" + members + "}}", std::string(4, '\0'))) ==
            (missing.empty() ? "no error" : ": tensor 'x' has no " + missing));
    }
  } while (std::next_permutation(order.begin(), order.end()));
}
TEST_CASE("members that are missing, unknown, twice or of another kind") {
  const auto error = [](const std::string& header) { return error_of(file_of(header)); };
  CHECK(error(R"({"x":{}})") == ": tensor 'x' has no dtype");
  CHECK(error(R"({"x":{"dtype":"F32"}})") == ": tensor 'x' has no shape");
  CHECK(error(R"({"x":{"dtype":"F32","shape":[0]}})") == ": tensor 'x' has no data_offsets");
  CHECK(error(R"({"x":{"dtype":"F32","dtype":"F32"}})") == ": tensor 'x' has two members 'dtype'");
  CHECK(error(R"({"x":{"shape":[],"shape":[]}})") == ": tensor 'x' has two members 'shape'");
  CHECK(error(R"({"x":{"data_offsets":[0,0],"data_offsets":[0,0]}})") ==
        ": tensor 'x' has two members 'data_offsets'");
  CHECK(error(R"({"x":{"stride":[1]}})") == ": tensor 'x' has the unknown member 'stride'");
  CHECK(error(R"({"x":{"dtype":"Q4"}})") ==
        ": tensor 'x' has the dtype 'Q4'; BOOL, U8 to U64, I8 to I64, F16, BF16, F32, F64 can be read");
  CHECK(error(R"({"x":{"data_offsets":[0]}})") == ": tensor 'x' has 1 data_offsets, expected two");
  CHECK(error(R"({"x":{"data_offsets":[0,1,2]}})") == ": tensor 'x' has more data_offsets than two");
  CHECK(error(R"({"x":{"shape":[-1]}})") == ": JSON at byte 23: expected a whole number, got '-'");
  CHECK(error(R"({"x":[]})") == ": JSON at byte 13: expected '{', got '['");
  CHECK(error(R"({"__metadata__":{"a":1}})") == ": JSON at byte 29: expected '\"', got '1'");
  CHECK(error(R"({"__metadata__":{"a":"","a":""}})").find("'a' is twice in '__metadata__'") !=
        std::string::npos);
  CHECK(error(R"({"__metadata__":{},"__metadata__":{}})").find("'__metadata__' is there twice") !=
        std::string::npos);
}
TEST_CASE("bytes in memory are read like a file") {
  const file_with f("");
  io::write_safetensors(f.path, {{"x", io::dtype::float32, {2}, numbers.data()}}, {{"of", "two"}});
  const std::string text = detail::read_file(f.path);
  const std::span<const std::byte> bytes{reinterpret_cast<const std::byte*>(text.data()), text.size()};
  const io::safetensors_file file("the weights", bytes);
  CHECK(file.path() == "the weights");
  CHECK(file.bytes().data() == bytes.data());
  CHECK(file.metadata().at("of") == "two");
  std::array<float, 2> read{};
  file.copy_bytes(file.at("x"), read.data());
  CHECK((read[0] == numbers[0] && read[1] == numbers[1]));
  CHECK_THROWS_WITH_AS(io::safetensors_file("the weights", bytes.first(bytes.size() - 1)),
                       doctest::Contains("the weights: "), data_error);
  std::string changed = text;
  changed.back() = static_cast<char>(changed.back() ^ 1);
  CHECK_THROWS_WITH_AS(io::safetensors_file("the weights", std::as_bytes(std::span(changed))),
                       doctest::Contains("tensor 'x'"), data_error);
}
TEST_CASE("what is not written, and leaves the old file") {
  const file_with f("tensors that are refused");
  const auto error = [&](const std::vector<io::named_tensor>& tensors,
                         const std::map<std::string, std::string>& metadata = {}) {
    return input_error_of([&] { io::write_safetensors(f.path, tensors, metadata); });
  };
  const io::named_tensor x{"x", io::dtype::float32, {2}, numbers.data()};
  CHECK(error({x, x}) == f.path + ": 'x' is the name of two tensors");
  CHECK(error({{"__metadata__", io::dtype::float32, {2}, numbers.data()}}) ==
        f.path + ": '__metadata__' is not a name for a tensor: the format keeps its metadata under it");
  CHECK(error({{"\xFF", io::dtype::float32, {2}, numbers.data()}}) ==
        f.path + ": '\xFF' is not UTF-8, which a safetensors file asks for");
  CHECK(error({x}, {{"a", "\xFF"}}) == f.path + ": '\xFF' is not UTF-8, which a safetensors file asks for");
  CHECK(error({x}, {{"tenon.crc32:x", "1"}}) ==
        f.path + ": 'tenon.crc32:x' is the name of a checksum; take another");
  CHECK(error({{"y", io::dtype::float32, {2}, nullptr}}) == f.path + ": 'y' has no data");
  CHECK(error({{"y", io::dtype::float32, {1ul << 62}, numbers.data()}}) ==
        f.path + ": 'y' has 2^64 bytes or more");
  CHECK(error({}, {{"a", std::string(16'666'667, '\1')}}) ==  // each is written as \u0001
        f.path + ": the names and the metadata have 100000056 bytes, at most 100000000 are allowed");
  CHECK(detail::read_file(f.path) == "tensors that are refused");
  CHECK_THROWS_AS(io::write_safetensors("/no/such/folder/x", {x}), data_error);
}
