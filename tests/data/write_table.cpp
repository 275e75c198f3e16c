// Written tables, compared character by character, and read back by the reader of tables.
#include "tenon/data/write_table.hpp"

#include "support/temporary_file.hpp"
#include "tenon/data/table.hpp"
#include "tenon/data/table_column.hpp"
#include "tenon/io/file.hpp"

#include <doctest/doctest.h>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <random>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::test {

using texts = std::vector<std::string>;

TEST_CASE("a header and a row for each element, numbers at their shortest") {
  const temporary_folder folder;
  const std::string path = folder.path + "/houses.csv";
  const texts cities{"Bonn", "Ulm"};
  const std::vector<double> prices{210.5, 1e-20};
  io::write_table(path, {"city", "price", "rooms", "sold", "predicted"}, cities, prices, std::vector{3, -5},
                  std::vector<bool>{true, false}, std::array{0.1f, 340.0f});
  CHECK(tenon::detail::read_file(path) ==
        "city,price,rooms,sold,predicted\nBonn,210.5,3,1,0.1\nUlm,1e-20,-5,0,340\n");
  const auto rows = io::read_table(path, 5, {.has_header = true});
  CHECK(io::table_column(rows, "city") == cities);
  CHECK(io::table_column<double>(rows, "price") == prices);
  CHECK(io::table_column<int>(rows, "sold") == std::vector{1, 0});
  CHECK(io::table_column<float>(rows, "predicted") == std::vector{0.1f, 340.0f});

  const std::string name = "x";
  io::write_table(path, {name}, std::vector<std::int8_t>{65, -128});  // replaces the file; no letters
  CHECK(tenon::detail::read_file(path) == "x\n65\n-128\n");
  io::write_table(path, {"x", std::string_view("y")}, std::vector<const char*>{"a"},
                  std::vector<std::string_view>{"b"});
  CHECK(tenon::detail::read_file(path) == "x,y\na,b\n");
  io::write_table(path, {"x"}, std::vector<float>());
  CHECK(tenon::detail::read_file(path) == "x\n");
}
TEST_CASE("text stands in quotation marks where a reader needs them") {
  const temporary_folder folder;
  const std::string path = folder.path + "/texts.csv";
  io::write_table(path, {"a,b", "c"},
                  texts{"one, two", "say \"no\"", "two\nlines", " in front", "behind ", "in it", "cr\r", "\"",
                        "", "\ttab"},
                  std::vector<int>(10));
  CHECK(tenon::detail::read_file(path) ==
        "\"a,b\",c\n\"one, two\",0\n\"say \"\"no\"\"\",0\n\"two\nlines\",0\n\" in front\",0\n\"behind "
        "\",0\nin it,0\n"
        "\"cr\r\",0\n\"\"\"\",0\n,0\n\ttab,0\n");
  io::write_table(path, {"\xEF\xBB\xBFmark"}, texts{"a"});  // no byte order mark
  CHECK(io::read_table(path, 1, {.has_header = true})[0].field("\xEF\xBB\xBFmark") == "a");
}
TEST_CASE(
    "what is written is read back: all texts of the letters that mean something, and numbers of any bits") {
  const temporary_folder folder;
  const std::string path = folder.path + "/any.csv";
  std::mt19937_64 random(7);
  for (int round = 0; round < 20; ++round) {
    texts some, others;
    std::vector<double> doubles;
    std::vector<float> floats;
    for (int r = 0; r < 40; ++r) {
      for (texts* to : {&some, &others}) {
        to->emplace_back();
        for (std::size_t n = random() % 6; n > 0; --n)
          to->back() += ",\"\n\r a;\t\xEF\xBB\xBF"[random() % 11];
      }
      const double d = std::bit_cast<double>(random());
      const float f = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
      doubles.push_back(std::isfinite(d) ? d : 0);
      floats.push_back(std::isfinite(f) ? f : 0);
    }
    io::write_table(path, {some[0], "d", "f", others[0]}, some, doubles, floats, others);
    const auto rows = io::read_table(path, 4, {.has_header = true, .allow_empty = true});
    CHECK(rows[0].file->header == texts{some[0], "d", "f", others[0]});
    CHECK(io::table_column(rows, 0) == some);
    CHECK(io::table_column<double>(rows, 1) == doubles);
    CHECK(io::table_column<float>(rows, 2) == floats);
    CHECK(io::table_column(rows, 3) == others);
    io::write_table(path, {"alone"}, some);
    CHECK(io::table_column(io::read_table(path, 1, {.has_header = true, .allow_empty = true}), 0) == some);
  }
}
TEST_CASE("any range is a column, and so is a tensor of one axis") {
  const temporary_folder folder;
  const std::string path = folder.path + "/ranges.csv";
  const xt::xtensor<float, 2> answers{{1.5f, 2}, {3, 4}};
  const auto squares =
      std::views::iota(1, 3) | std::views::transform([](int k) { return std::to_string(k * k) + ","; });
  io::write_table(path, {"k", "square", "answer"}, std::views::iota(1, 3), squares,
                  xt::view(answers, xt::all(), 0));
  CHECK(tenon::detail::read_file(path) == "k,square,answer\n1,\"1,\",1.5\n2,\"4,\",3\n");
}
TEST_CASE("what is wrong is said, and the old file stays") {
  const temporary_folder folder;
  const std::string path = folder.path + "/kept.csv";
  io::write_table(path, {"x"}, std::vector{1});
  const auto error_of = [&](const auto&... columns) -> std::string {
    try {
      io::write_table(path, {"city", "price"}, columns...);
    } catch (const input_error& error) { return error.what(); }
    return "nothing was thrown";
  };
  CHECK(error_of(texts{"Bonn", "Ulm", "Trier"}, std::vector{1.0, 2.0}) ==
        "write_table: column 'city' has 3 rows, column 'price' has 2");
  CHECK(error_of(texts{"Bonn", "Ulm"}, std::vector{1.0, std::nan("")}) ==
        "write_table: column 'price', row 1: expected a finite number");
  CHECK(error_of(texts{"Bonn"}, std::vector{-std::numeric_limits<float>::infinity()}) ==
        "write_table: column 'price', row 0: expected a finite number");
  CHECK(error_of(texts{std::string("a\0b", 3)}, std::vector{1.0}) ==
        "write_table: column 'city', row 0: expected text without zero bytes");
  CHECK_THROWS_WITH_AS(
      io::write_table(path, {"a", std::string_view("b\0", 2)}, std::vector{1}, std::vector{1}),
      "write_table: the name of column 1, counted from 0, has a zero byte", input_error);
  CHECK(tenon::detail::read_file(path) == "x\n1\n");
  const std::string nowhere = folder.path + "/none/answers.csv";
  CHECK_THROWS_AS(io::write_table(nowhere, {"x"}, std::vector{1}), data_error);
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 1);
}

}  // namespace tenon::test
