// Files that are missing or are of another kind, and wrong values for tables, texts, vocabularies, arrays and choices.
#include "robustness/refusals.hpp"
#include "support/temporary_file.hpp"
#include "tenon/data/alias_table.hpp"
#include "tenon/data/data_set.hpp"
#include "tenon/data/lines.hpp"
#include "tenon/data/split.hpp"
#include "tenon/data/standardizer.hpp"
#include "tenon/data/table.hpp"
#include "tenon/data/vocabulary.hpp"
#include "tenon/data/word_counts.hpp"
#include "tenon/data/word_search.hpp"
#include "tenon/data/write_table.hpp"
#include "tenon/decode/choose.hpp"
#include "tenon/io/idx.hpp"
#include "tenon/io/npy.hpp"
#include "tenon/io/npz.hpp"
#include "tenon/io/parameters.hpp"
#include "tenon/io/word_vector_files.hpp"
#include "tenon/nn/nn.hpp"
#include "tenon/train/checkpoints/checkpoint.hpp"
#include "tenon/train/reports/history.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tenon::test {
using namespace nn;

constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                 infinity = std::numeric_limits<double>::infinity();

using line = graph<"line", input<"x", features<2>>, node<"logits", linear<2>, "x">, output<"logits">>;
using training = trainer<line, losses::cross_entropy<"logits">, optimizers::adam, batch<4>>;

// A folder, and what is in it.
struct files_of_test {
  temporary_folder folder;
  parameters<line> theta{seed{1}};
  training t{theta};
  std::string in(const std::string& name) const { return folder.path + "/" + name; }
  void put(const std::string& name, const std::string& content) const {
    std::ofstream(in(name), std::ios::binary) << content;
  }
  std::string state() const {
    std::vector<std::string> all;
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder.path))
      all.push_back(file.path().string() +
                    (file.is_regular_file() ? tenon::detail::read_file(file.path().string()) : ""));
    std::sort(all.begin(), all.end());
    std::string bits = bits_of(theta) + std::to_string(t.steps());
    for (const std::string& one : all) bits += one;
    return bits;
  }
};

const std::vector<float> numbers{1, 0, 0, 1};
const io::word_vectors two_vectors(std::vector<std::string>{"a", "b"},
                                   view<const float>(numbers.data(), {2, 2}));

struct named_call {
  const char* name;
  std::function<void(const std::string&)> call;
};

// What reads a file that has a format: none reads another file than its own.
std::vector<named_call> readers(files_of_test& f) {
  return {
      {"safetensors", [](const std::string& path) { io::safetensors_file{path}; }},
      {"parameters", [&](const std::string& path) { load(f.theta, path); }},
      {"checkpoint", [&](const std::string& path) { io::load_checkpoint(f.t, path); }},
      {"npy", [](const std::string& path) { io::read_npy<float>(path); }},
      {"npz", [](const std::string& path) { io::npz_file{path}; }},
      {"idx", [](const std::string& path) { io::read_idx<float>(path); }},
      {"vocabulary", [](const std::string& path) { vocabulary::load(path); }},
      {"word2vec_text", [](const std::string& path) { io::read_word2vec_text(path); }},
      {"word2vec_binary", [](const std::string& path) { io::read_word2vec_binary(path); }},
      {"glove", [](const std::string& path) { io::read_glove(path); }},
      {"similarities", [](const std::string& path) { io::word_search(two_vectors).rank_similarities(path); }},
      {"table", [](const std::string& path) { io::read_table(path, 7); }},
      {"analogies", [](const std::string& path) { io::word_search(two_vectors).answer_analogies(path); }}};
}

TEST_CASE("files that are missing, folders, and files of another kind") {
  files_of_test f;
  save(f.theta, f.in("right.safetensors"));
  const std::string right = tenon::detail::read_file(f.in("right.safetensors"));
  std::filesystem::create_directory(f.in("folder"));
  f.put("empty", "");
  f.put("zeros", std::string(100, '\0'));
  f.put("ones", std::string(100, '\xFF'));
  f.put("text", "one\ntwo three\n");
  f.put("cut", right.substr(0, right.size() / 2));
  f.put("header", "\x93NUMPY\x01");
  f.put("archive", "PK\x03\x04 and more");
  f.put("digits", "12345678901234567890 99999999999999\nx\n");
  refusals all([&] { return f.state(); });
  for (const named_call& reader : readers(f))
    for (const char* name : {"missing", "no/such/folder", "folder", "empty", "zeros", "ones", "text", "cut",
                             "header", "archive", "digits"}) {
      const std::string path = f.in(name);
      INFO(std::string(reader.name), " of ", std::string(name));
      all.expect<data_error>({path + ":"}, [&] { reader.call(path); });
    }
  for (const char* name : {"missing", "no/such/folder", "folder", "zeros", "cut"}) {  // others are text
    all.expect<data_error>({f.in(name) + ":"}, [&] { io::read_text(f.in(name)); });
    all.expect<data_error>({f.in(name) + ":"}, [&] { io::read_lines(f.in(name)); });
  }
  load(f.theta, f.in("right.safetensors"));
}

TEST_CASE("paths that take no file") {
  files_of_test f;
  std::filesystem::create_directory(f.in("folder"));
  f.put("file", "old");
  refusals all([&] { return f.state(); });
  reports::history history;
  history.epochs.push_back({.epoch = 1, .loss = 1});
  const std::vector<std::string> words{"a", "b"};
  const std::vector<named_call> writers{
      {"parameters", [&](const std::string& path) { save(f.theta, path); }},
      {"safetensors", [&](const std::string& path) { io::write_safetensors(path, {}); }},
      {"checkpoint", [&](const std::string& path) { io::save_checkpoint(f.t, path); }},
      {"npy", [&](const std::string& path) { io::write_npy(path, view<const float>(numbers.data(), {4})); }},
      {"npz",
       [&](const std::string& path) {
         io::write_npz(path, {{"x", view<const float>(numbers.data(), {4})}});
       }},
      {"table", [&](const std::string& path) { io::write_table(path, {"x"}, numbers); }},
      {"vocabulary", [&](const std::string& path) { vocabulary(words).save(path); }}};
  for (const std::string& path : {std::string(), f.in("no/file"), f.in("folder"), f.in("file/below"),
                                  std::string("/dev/null"), f.in(std::string(300, 'n'))}) {
    for (const named_call& writer : writers) {
      INFO(std::string(writer.name), " to ", path);
      all.expect<data_error>({path.empty() ? "''" : path, "cannot be written"}, [&] { writer.call(path); });
    }
  }
  for (const char* ending : {".csv", ".svg"})
    all.expect<input_error>({f.in("no/curve"), "cannot be written"},
                            [&] { history.save(f.in("no/curve") + ending); });
  save(f.theta, f.in("file"));
  load(f.theta, f.in("file"));
}

TEST_CASE("fields, columns and options of tables") {
  files_of_test f;
  f.put("table", "name,price,name\na,1.5,x\nb,-2,1e999\nc,nan,300\nd,inf,1 2\ne,,0x10\n");
  const std::string path = f.in("table");
  const auto rows = io::read_table(path, 3, {.has_header = true, .allow_empty = true});
  const auto raw = io::read_table(path, 3, {.allow_empty = true});
  refusals all([&] { return f.state(); });
  const auto no_number = [&]<class T>(T, std::size_t row, std::size_t field) {
    const std::string place = ":" + std::to_string(row + 2) + ":";
    all.expect<data_error>({path + place, "field " + std::to_string(field + 1), "expected"},
                           [&] { rows[row].number<T>(field); });
    if (field == 1)
      all.expect<data_error>({path + place, "column 'price'"}, [&] { rows[row].number<T>("price"); });
  };
  for (const auto& [row, field] :
       {std::pair{0u, 0u}, {0u, 2u}, {1u, 2u}, {2u, 1u}, {3u, 1u}, {3u, 2u}, {4u, 1u}, {4u, 2u}}) {
    no_number(float{}, row, field);
    no_number(double{}, row, field);
    no_number(int{}, row, field);
    no_number(short{}, row, field);
  }
  using byte = unsigned char;
  no_number(int{}, 0, 1);
  no_number(byte{}, 1, 1);
  no_number(byte{}, 2, 2);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::string place = path + ":" + std::to_string(row + 2) + ":";
    for (const std::size_t field : {3u, 4u, 99u})
      all.expect<data_error>({place, "no field " + std::to_string(field)}, [&] { rows[row].field(field); });
  }
  all.expect<data_error>({path, "several columns are named 'name'"}, [&] { rows[0].field("name"); });
  for (const char* name : {"prise", "Price", "", "no"})
    all.expect<data_error>({path, "no column '" + std::string(name) + "'", "price"},
                           [&] { rows[0].field(name); });
  all.expect<data_error>({path, "'price'", "has_header"}, [&] { raw[0].field("price"); });
  for (const std::size_t fields : {1u, 2u, 4u, 5u, 99u})
    all.expect<data_error>({path, "expected " + std::to_string(fields) + " fields", "got 3"},
                           [&] { io::read_table(path, fields); });
  all.expect<data_error>({path + ":6", "field 2 is empty"}, [&] { io::read_table(path, 3); });
  all.expect<input_error>({"read_table", "0"}, [&] { io::read_table(path, 0); });
  for (const char wrong : {'"', '\n', '\r', '\0'})
    all.expect<input_error>({"read_table", "separator"},
                            [&] { io::read_table(path, 3, {.separator = wrong}); });
  for (const float wrong : {float(nan), float(infinity), -float(infinity)})
    for (std::size_t row = 0; row < 3; ++row) {
      std::vector<float> column{1, 2, 3};
      column[row] = wrong;
      all.expect<input_error>({"write_table", "'n'", "row " + std::to_string(row), "finite"},
                              [&] { io::write_table(path, {"n"}, column); });
    }
  for (const std::size_t size : {0u, 1u, 3u})
    all.expect<input_error>({"write_table", "2 rows", std::to_string(size)}, [&] {
      io::write_table(path, {"a", "b"}, std::vector<int>{1, 2}, std::vector<int>(size));
    });
  all.expect<input_error>({"write_table", "'t'", "row 1", "zero byte"}, [&] {
    io::write_table(path, {"t"}, std::vector<std::string>{"a", std::string(1, '\0')});
  });
  CHECK(rows[0].number<float>("price") == 1.5f);
}

TEST_CASE("words, vocabularies and their options") {
  const vocabulary words(std::vector<std::string>{"apple", "pear", "plum"});
  const word_counts counts(std::vector<std::string>{"a", "b", "a"});
  const io::word_search search(two_vectors);
  refusals all([&] { return words.text(std::vector<int>{0, 1, 2}); });
  for (const int wrong : {-1, 3, 4, 99, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()}) {
    all.expect<std::out_of_range>({"vocabulary", std::to_string(wrong), "3 words"},
                                  [&] { words.word(wrong); });
    all.expect<std::out_of_range>({"vocabulary", std::to_string(wrong), "3 words"}, [&] {
      words.decode(std::vector{0, wrong});
    });
  }
  for (const char* wrong : {"aple", "Pear", "", "plums", " plum"}) {
    all.expect<std::out_of_range>({"vocabulary", "'" + std::string(wrong) + "'"}, [&] { words.at(wrong); });
    all.expect<std::out_of_range>({"vocabulary", "'" + std::string(wrong) + "'"}, [&] {
      words.encode(std::vector<std::string>{"plum", wrong});
    });
    all.expect<std::out_of_range>({"word_search", "'" + std::string(wrong) + "'"},
                                  [&] { search.nearest(wrong); });
    all.expect<std::out_of_range>({"word_search", "'" + std::string(wrong) + "'"},
                                  [&] { search.cosine("a", wrong); });
  }
  for (const int wrong : {0, -1, -9}) {
    all.expect<input_error>({"vocabulary", "min_count", std::to_string(wrong)}, [&] {
      vocabulary{counts, {.min_count = wrong}};
    });
    all.expect<input_error>({"nearest", std::to_string(wrong)}, [&] { search.nearest("a", wrong); });
  }
  for (const int wrong : {-1, -9, 1})
    all.expect<input_error>({"vocabulary", "max_size", std::to_string(wrong)}, [&] {
      vocabulary{counts, {.specials = {"<s>", "</s>"}, .max_size = wrong}};
    });
  all.expect<input_error>({"vocabulary", "'<s>'", "2 times"}, [&] {
    vocabulary{counts, {.specials = {"<s>", "<s>"}}};
  });
  all.expect<input_error>({"vocabulary", "'<unk>'"}, [&] { vocabulary{counts, {.unknown = "<unk>"}}; });
  for (const std::size_t size : {1u, 3u})
    all.expect<input_error>({"nearest", "2 numbers", std::to_string(size)},
                            [&] { search.nearest(view<const float>(numbers.data(), {size}), 1); });
}

TEST_CASE("shares, weights and choices") {
  refusals all;
  const std::vector<double> right{0.1, 0.2, 0.3};
  for (const double wrong : {-0.1, 1.1, nan, infinity, -infinity}) {
    const auto rows = data_set(column<"x">(std::vector<float>{1, 2, 3, 4}));
    all.expect<input_error>({"split", "share"}, [&] { split(rows, wrong, seed{1}); });
    all.expect<input_error>({"split", "share"}, [&] { split(rows, {0.5, wrong}, seed{1}); });
  }
  for (std::size_t k = 0; k < 3; ++k)
    for (const double wrong : {-1.0, nan, infinity, -infinity}) {
      std::vector<double> weights = right;
      weights[k] = wrong;
      all.expect<input_error>({"alias_table", "weight " + std::to_string(k)}, [&] { alias_table{weights}; });
    }
  all.expect<input_error>({"alias_table", "above 0"}, [] { alias_table{std::vector<double>{0, 0}}; });
  const view<const double> scores(right.data(), {3});
  for (const double wrong : {0.0, -1.0, nan, infinity}) {
    all.expect<input_error>({"softmax", "temperature"}, [&] { softmax(scores, wrong); });
  }
  for (const int wrong : {-1, -9})
    all.expect<input_error>({"top_k", std::to_string(wrong)}, [&] { top_k(scores, wrong); });
  for (std::size_t k = 0; k < 3; ++k) {
    std::vector<double> with_nan = right;
    with_nan[k] = nan;
    const view<const double> wrong(with_nan.data(), {3});
    all.expect<input_error>({"argmax", std::to_string(k)}, [&] { argmax(wrong); });
    all.expect<input_error>({"softmax", std::to_string(k)}, [&] { softmax(wrong); });
    all.expect<input_error>({"top_k", std::to_string(k)}, [&] { top_k(wrong, 2); });
  }
}

TEST_CASE("arrays and tensors") {
  files_of_test f;
  const std::vector<std::int32_t> large{1, 300, -129, 70000};
  const view<const std::int32_t> x(large.data(), {4});
  const std::string path = f.in("x");
  io::write_npz(path + ".npz", {{"x", x}});
  io::write_npy(path + ".npy", x);
  io::write_safetensors(path, {{"x", x}});
  refusals all([&] { return f.state(); });
  all.expect<data_error>({path, "element 1", "300"}, [&] { io::read_npy<std::int8_t>(path + ".npy"); });
  all.expect<data_error>({path, "element 2", "-129"}, [&] { io::read_npy<std::uint16_t>(path + ".npy"); });
  all.expect<data_error>({path, "element 3", "70000"}, [&] { io::read_npy<std::int16_t>(path + ".npy"); });
  all.expect<data_error>({path, "bool"}, [&] { io::read_npy<bool>(path + ".npy"); });
  for (const char* name : {"y", "", "x.npy", "X"}) {
    all.expect<data_error>({path, "no array '" + std::string(name) + "'"},
                           [&] { io::npz_file(path + ".npz").read<float>(name); });
    all.expect<data_error>({path, "no tensor '" + std::string(name) + "'"},
                           [&] { io::safetensors_file(path).at(name); });
  }
  for (const char* name : {"", "\xFF", "\xC3"})
    all.expect<input_error>({path, "is not a name"}, [&] { io::write_npz(path, {{name, x}}); });
  all.expect<input_error>({path, "'x' is the name of two"}, [&] {
    io::write_npz(path, {{"x", x}, {"x", x}});
  });
  all.expect<input_error>({path, "'x'"}, [&] { io::write_safetensors(path, {{"x", x}, {"x", x}}); });
  all.expect<input_error>({path, "UTF-8"}, [&] { io::write_safetensors(path, {{"\xFF", x}}); });
  all.expect<input_error>({path, "UTF-8"}, [&] { io::write_safetensors(path, {{"x", x}}, {{"a", "\xFF"}}); });
  CHECK(io::read_npy<int>(path + ".npy")(3) == 70000);
}

TEST_CASE("so many different refusals") {
  MESSAGE(distinct_refusals().size(), " different messages");
  CHECK(distinct_refusals().size() > 200);
}

}  // namespace tenon::test
