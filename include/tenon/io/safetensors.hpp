// safetensors: named tensors and metadata texts in one file, in the format of Hugging Face's library of this name
// (https://github.com/huggingface/safetensors):
//   8 bytes, the length n of the header | n bytes of JSON | the tensors' numbers, little-endian, in C order
// `io::safetensors_file` reads such a file without copying it, `io::write_safetensors` writes one.
#pragma once

#include "tenon/io/json.hpp"
#include "tenon/io/mapped_file.hpp"
#include "tenon/tensor/named_tensor.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tenon {

static_assert(std::endian::native == std::endian::little,
              "files hold little-endian numbers, which are not swapped");

namespace detail {

inline constexpr std::string_view safetensors_names[] = {"BOOL", "U8",  "I8",  "I16", "U16", "F16", "BF16",
                                                         "I32",  "U32", "F32", "F64", "I64", "U64"};
inline constexpr std::uint64_t longest_safetensors_header = 100'000'000;

struct safetensors_header {
  std::vector<io::named_tensor> tensors;  // by name
  std::map<std::string, std::string> metadata;
};

// Reads the structure of a file. It allocates no more than the header's own characters need.
class safetensors_parser {
 public:
  safetensors_parser(const std::string& path, std::span<const std::byte> file) : path_(path), file_(file) {}

  safetensors_header parse() {
    std::uint64_t length = 0;
    if (file_.size() < sizeof length)
      throw_data_error(path_, {"is not a safetensors file: expected at least 8 bytes, got ", file_.size()});
    std::memcpy(&length, file_.data(), sizeof length);
    const std::uint64_t behind = file_.size() - sizeof length;
    if (length > longest_safetensors_header)
      throw_data_error(path_, {"is not a safetensors file: its header would have ", length,
                               " bytes, at most ", longest_safetensors_header, " are allowed"});
    if (length > behind)
      throw_data_error(path_,
                       {"is cut off: its header has ", length, " bytes, the file ", behind, " behind them"});
    const std::string_view text(reinterpret_cast<const char*>(file_.data()) + sizeof length, length);
    if (!text.starts_with('{'))
      throw_data_error(path_, {"is not a safetensors file: its header does not start with '{'"});
    data_ = file_.subspan(sizeof length + length);

    json_reader json(path_, text, sizeof length);
    bool has_metadata = false;
    json.object([&](const std::string& key) {
      if (key != "__metadata__") return read_tensor(json, key);
      if (std::exchange(has_metadata, true)) json.fail({"'__metadata__' is there twice"});
      json.object([&](const std::string& entry) {
        if (!header_.metadata.emplace(entry, json.string()).second)
          json.fail({"'", entry, "' is twice in '__metadata__'"});
      });
    });
    json.expect_end();
    check_layout();
    check_names();
    return std::move(header_);
  }

 private:
  const std::string& path_;
  std::span<const std::byte> file_, data_{};
  safetensors_header header_{};

  void read_tensor(json_reader& json, const std::string& name) {
    io::named_tensor tensor{.name = name};
    bool has_type = false, has_shape = false;
    std::vector<std::uint64_t> offsets;
    json.object([&](const std::string& key) {
      if (key == "dtype" && !has_type) {
        has_type = true;
        const std::string type = json.string();
        const auto* const known = std::find(std::begin(safetensors_names), std::end(safetensors_names), type);
        if (known == std::end(safetensors_names))
          fail(name,
               {"has the dtype '", type, "'; BOOL, U8 to U64, I8 to I64, F16, BF16, F32, F64 can be read"});
        tensor.type = static_cast<io::dtype>(known - safetensors_names);
      } else if (key == "shape" && !has_shape) {
        has_shape = true;
        json.list([&] { tensor.shape.push_back(json.whole_number()); });
      } else if (key == "data_offsets" && offsets.empty()) {
        json.list([&] {
          offsets.push_back(json.whole_number());
          if (offsets.size() > 2) fail(name, {"has more data_offsets than two"});
        });
        if (offsets.size() != 2) fail(name, {"has ", offsets.size(), " data_offsets, expected two"});
      } else {
        const bool is_twice = key == "dtype" || key == "shape" || key == "data_offsets";
        fail(name, {is_twice ? "has two members '" : "has the unknown member '", key, "'"});
      }
    });
    if (!has_type || !has_shape || offsets.empty())
      fail(name, {"has no ", !has_type ? "dtype" : !has_shape ? "shape" : "data_offsets"});
    const std::uint64_t begin = offsets[0], end = offsets[1];
    if (end < begin || end > data_.size())
      fail(name, {"has the bytes ", begin, " to ", end, " of the data, which has ", data_.size()});
    const auto bytes = checked_bytes(tensor.shape, tensor.type);
    if (!bytes) fail(name, {"of shape ", shape_text(tensor.shape), " has 2^64 bytes or more"});
    if (*bytes != end - begin)
      fail(name, {"of shape ", shape_text(tensor.shape), " and dtype ",
                  safetensors_names[static_cast<std::size_t>(tensor.type)], " has ", *bytes,
                  " bytes, its data_offsets ", end - begin});
    tensor.data = data_.data() + begin;
    header_.tensors.push_back(std::move(tensor));
  }
  // The tensors must fill the data, without holes and overlaps.
  void check_layout() {
    std::vector<io::named_tensor>& all = header_.tensors;
    const auto begin_of = [&](const io::named_tensor& t) {
      return static_cast<std::size_t>(static_cast<const std::byte*>(t.data) - data_.data());
    };
    std::sort(all.begin(), all.end(), [&](const io::named_tensor& a, const io::named_tensor& b) {
      return std::pair(begin_of(a), a.bytes()) < std::pair(begin_of(b), b.bytes());
    });
    std::size_t end = 0;
    for (const io::named_tensor& t : all) {
      if (begin_of(t) != end)
        fail(t.name,
             {begin_of(t) < end ? "overlaps" : "leaves a hole behind",
              " the tensor before it: it starts at byte ", begin_of(t), " of the data, expected ", end});
      end += t.bytes();
    }
    if (end != data_.size())
      throw_data_error(
          path_, {"its tensors have ", end, " bytes, the file has ", data_.size(), " behind its header"});
  }
  void check_names() {
    std::vector<io::named_tensor>& all = header_.tensors;
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    const auto twice = std::adjacent_find(all.begin(), all.end(),
                                          [](const auto& a, const auto& b) { return a.name == b.name; });
    if (twice != all.end()) fail(twice->name, {"is there twice"});
  }
  [[noreturn, gnu::cold, gnu::noinline]] void fail(std::string_view name,
                                                   std::initializer_list<message_part> problem) const {
    throw_data_error(path_, {"tensor '", name, "' ", message_of(problem)});
  }
};

inline safetensors_header parse_safetensors(const std::string& path, std::span<const std::byte> file) {
  return safetensors_parser(path, file).parse();
}

}  // namespace detail

namespace io {

// An open file. Its tensors' `data` point into it: they are valid as long as the file object, and are fetched
// from the disk when they are read.
class safetensors_file {
 public:
  // Throws data_error, which names the file and the tensor, for everything that the format forbids: a header that is
  // cut off, too long or no JSON of this kind, a name that occurs twice, shapes that do not fit their bytes, tensors
  // that overlap, leave holes or reach past the end.
  explicit safetensors_file(const std::string& path)
      : path_(path), file_(path), header_(detail::parse_safetensors(path_, file_.bytes())) {}

  const std::string& path() const { return path_; }
  const std::vector<named_tensor>& tensors() const { return header_.tensors; }  // by name
  const std::map<std::string, std::string>& metadata() const { return header_.metadata; }

  // Null if there is no such tensor.
  const named_tensor* find(std::string_view name) const {
    const auto found = std::lower_bound(tensors().begin(), tensors().end(), name,
                                        [](const named_tensor& t, std::string_view n) { return t.name < n; });
    return found != tensors().end() && found->name == name ? &*found : nullptr;
  }
  // Throws data_error if there is none.
  const named_tensor& at(std::string_view name) const {
    const named_tensor* const found = find(name);
    if (found == nullptr) detail::throw_data_error(path_, {"has no tensor '", name, "'"});
    return *found;
  }
  // Copies the bytes of one of its tensors to memory of that size. Throws data_error if another program
  // has shortened the file meanwhile.
  void copy_bytes(const named_tensor& tensor, void* to) const {
    if (!file_.copy({static_cast<const std::byte*>(tensor.data), tensor.bytes()}, to))
      detail::throw_data_error(
          path_,
          {"tensor '", tensor.name, "' cannot be read any more: the file was cut off after it was opened"});
  }

 private:
  std::string path_;
  detail::mapped_file file_;
  detail::safetensors_header header_;
};

}  // namespace io
namespace detail {

[[noreturn]] inline void reject_in_safetensors(const std::string& path, std::string_view name,
                                               std::string_view problem) {
  throw_input_error({path, ": '", name, "' ", problem});
}
inline void check_safetensors_text(const std::string& path, const std::string& text) {
  if (!is_utf8(text)) reject_in_safetensors(path, text, "is not UTF-8, which a safetensors file asks for");
}
inline void check_safetensors_metadata(const std::string& path,
                                       const std::map<std::string, std::string>& metadata) {
  for (const auto& [key, value] : metadata)
    check_safetensors_text(path, key), check_safetensors_text(path, value);
}

}  // namespace detail
namespace io {

// Writes a file as Hugging Face's library does: tensors by the size of their numbers, the largest first, then by name;
// the data starts at a multiple of 8 bytes. An old file is replaced as a whole. Throws input_error for tensors that the
// format forbids (two of one name, names and metadata that are not UTF-8), data_error if the file cannot be written.
inline void write_safetensors(const std::string& path, const std::vector<named_tensor>& tensors,
                              const std::map<std::string, std::string>& metadata = {}) {
  using detail::json_string;
  const auto reject = [&](std::string_view name, std::string_view problem) {
    detail::reject_in_safetensors(path, name, problem);
  };
  std::vector<const named_tensor*> order(tensors.size());
  std::transform(tensors.begin(), tensors.end(), order.begin(), [](const named_tensor& t) { return &t; });
  std::sort(order.begin(), order.end(),
            [](const named_tensor* a, const named_tensor* b) { return a->name < b->name; });
  for (std::size_t k = 0; k < order.size(); ++k) {
    const named_tensor& t = *order[k];
    detail::check_safetensors_text(path, t.name);
    if (t.name == "__metadata__")
      reject(t.name, "is not a name for a tensor: the format keeps its metadata under it");
    if (k > 0 && order[k - 1]->name == t.name) reject(t.name, "is the name of two tensors");
    if (!detail::checked_bytes(t.shape, t.type)) reject(t.name, "has 2^64 bytes or more");
    if (t.data == nullptr && t.size() > 0) reject(t.name, "has no data");
  }
  std::sort(order.begin(), order.end(), [](const named_tensor* a, const named_tensor* b) {
    return a->type != b->type ? a->type > b->type : a->name < b->name;
  });

  detail::check_safetensors_metadata(path, metadata);
  std::string header = "{";
  if (!metadata.empty()) {
    header += "\"__metadata__\":{";
    for (const auto& [key, value] : metadata) {
      header.append(header.back() == '{' ? "" : ",")
          .append(json_string(key))
          .append(":")
          .append(json_string(value));
    }
    header += "}";
  }
  std::size_t begin = 0;
  for (const named_tensor* t : order) {
    std::string shape = detail::shape_text(t->shape);
    std::erase(shape, ' ');
    header += detail::message_of({header.size() > 1 ? "," : "", json_string(t->name), ":{\"dtype\":\"",
                                  detail::safetensors_names[static_cast<std::size_t>(t->type)],
                                  "\",\"shape\":", shape, ",\"data_offsets\":[", begin, ",",
                                  begin + t->bytes(), "]}"});
    begin += t->bytes();
  }
  header += "}";
  header.append((8 - header.size() % 8) % 8, ' ');
  const std::uint64_t length = header.size();
  if (length > detail::longest_safetensors_header)
    detail::throw_input_error({path, ": the names and the metadata have ", length, " bytes, at most ",
                               detail::longest_safetensors_header, " are allowed"});

  detail::file_replacement file(path);
  file.write(&length, sizeof length);
  file.write(header.data(), header.size());
  for (const named_tensor* t : order) file.write(t->data, t->bytes());
  file.commit();
}

}  // namespace io

}  // namespace tenon
