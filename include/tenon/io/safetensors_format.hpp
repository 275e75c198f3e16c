// The header of a safetensors file (https://github.com/huggingface/safetensors) and its checksums:
//   8 bytes, the length n of the header | n bytes of JSON | the tensors' numbers, little-endian, in C order
// Tenon's files have in their metadata a CRC-32 of each tensor's bytes, "tenon.crc32:<name>", and one of the header itself,
// "tenon.crc32", which is that of the header with eight zeros in its place. Files of others have none.
#pragma once

#include "tenon/io/crc.hpp"
#include "tenon/io/json.hpp"
#include "tenon/tensor/named_tensor.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <span>
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

inline constexpr std::string_view checksum_key = "tenon.crc32", unknown_checksum = "00000000";

// The names of checksums: "tenon.crc32", and "tenon.crc32:weight" for the tensor 'weight'.
inline bool is_checksum_key(std::string_view key) {
  return key.starts_with(checksum_key) &&
         (key.size() == checksum_key.size() || key[checksum_key.size()] == ':');
}
inline std::string checksum_key_of(std::string_view tensor) {
  return message_of({checksum_key, ":", tensor});
}
// Eight hexadecimal digits.
inline std::string checksum_text(std::uint32_t crc) {
  std::string text(unknown_checksum);
  for (std::size_t k = text.size(); k-- > 0; crc >>= 4) text[k] = "0123456789abcdef"[crc & 15];
  return text;
}

struct safetensors_header {
  std::vector<io::named_tensor> tensors{};         // by name
  std::map<std::string, std::string> metadata{};   // without the checksums
  std::map<std::string, std::string> checksums{};  // by the names of tensors
};

inline constexpr std::string_view checksum_remedy =
    "; take an older copy, or, if another program has changed the file, let it remove the metadata "
    "'tenon.crc32..'";

// Reads the structure of a file, and compares the header with its checksum. It allocates no more than the header's own characters need.
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
      json.object([&](const std::string& entry) { read_metadata(json, entry); });
    });
    json.expect_end();
    check_header(text);
    check_layout();
    check_names();
    return std::move(header_);
  }

 private:
  const std::string& path_;
  std::span<const std::byte> file_, data_{};
  safetensors_header header_{};
  std::string checksum_{};        // that of the header, if the file has one
  std::size_t checksum_end_ = 0;  // the place behind it, and its quotation mark, in the header

  void read_metadata(json_reader& json, const std::string& key) {
    std::string value = json.string();
    bool is_first = false;
    if (key == checksum_key) {
      is_first = checksum_.empty();
      checksum_ = std::move(value);
      checksum_end_ = json.position();
      if (checksum_.size() != unknown_checksum.size()) json.fail({"'", key, "' has not eight digits"});
    } else if (is_checksum_key(key)) {
      is_first = header_.checksums.emplace(key.substr(checksum_key.size() + 1), std::move(value)).second;
    } else {
      is_first = header_.metadata.emplace(key, std::move(value)).second;
    }
    if (!is_first) json.fail({"'", key, "' is twice in '__metadata__'"});
  }
  void check_header(std::string_view text) const {
    if (checksum_.empty()) return;
    const std::size_t at = checksum_end_ - 1 - unknown_checksum.size();
    const auto before = crc32(std::as_bytes(std::span(text.substr(0, at))));
    const auto with_zeros = crc32(std::as_bytes(std::span(unknown_checksum)), before);
    const auto got =
        checksum_text(crc32(std::as_bytes(std::span(text.substr(checksum_end_ - 1))), with_zeros));
    if (got != checksum_)
      throw_data_error(path_, {"its header is damaged: expected the checksum ", checksum_, ", got ", got,
                               checksum_remedy});
  }
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

}  // namespace tenon
