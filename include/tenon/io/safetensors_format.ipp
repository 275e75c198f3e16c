// The bodies of safetensors_format.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tenon::inline v0_1::detail {

TENON_INLINE bool is_checksum_key(std::string_view key) {
  return key.starts_with(checksum_key) &&
         (key.size() == checksum_key.size() || key[checksum_key.size()] == ':');
}

TENON_INLINE std::string checksum_text(std::uint32_t crc) {
  std::string text(unknown_checksum);
  for (std::size_t k = text.size(); k-- > 0; crc >>= 4) text[k] = "0123456789abcdef"[crc & 15];
  return text;
}

TENON_INLINE safetensors_header safetensors_parser::parse() {
  std::uint64_t length = 0;
  if (file_.size() < sizeof length)
    throw_data_error(path_, {"is not a safetensors file: expected at least 8 bytes, got ", file_.size()});
  std::memcpy(&length, file_.data(), sizeof length);
  const std::uint64_t behind = file_.size() - sizeof length;
  if (length > longest_safetensors_header)
    throw_data_error(path_, {"is not a safetensors file: its header would have ", length, " bytes, at most ",
                             longest_safetensors_header, " are allowed"});
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

TENON_INLINE void safetensors_parser::read_metadata(json_reader& json, const std::string& key) {
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

TENON_INLINE void safetensors_parser::check_header(std::string_view text) const {
  if (checksum_.empty()) return;
  const std::size_t at = checksum_end_ - 1 - unknown_checksum.size();
  const auto before = crc32(std::as_bytes(std::span(text.substr(0, at))));
  const auto with_zeros = crc32(std::as_bytes(std::span(unknown_checksum)), before);
  const auto got = checksum_text(crc32(std::as_bytes(std::span(text.substr(checksum_end_ - 1))), with_zeros));
  if (got != checksum_)
    throw_data_error(
        path_, {"its header is damaged: expected the checksum ", checksum_, ", got ", got, checksum_remedy});
}

TENON_INLINE void safetensors_parser::read_tensor(json_reader& json, const std::string& name) {
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

TENON_INLINE void safetensors_parser::check_layout() {
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
    throw_data_error(path_,
                     {"its tensors have ", end, " bytes, the file has ", data_.size(), " behind its header"});
}

TENON_INLINE void safetensors_parser::check_names() {
  std::vector<io::named_tensor>& all = header_.tensors;
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  const auto twice = std::adjacent_find(all.begin(), all.end(),
                                        [](const auto& a, const auto& b) { return a.name == b.name; });
  if (twice != all.end()) fail(twice->name, {"is there twice"});
}

[[gnu::noinline]] TENON_INLINE void safetensors_parser::fail(
    std::string_view name, std::initializer_list<message_part> problem) const {
  throw_data_error(path_, {"tensor '", name, "' ", message_of(problem)});
}

}  // namespace tenon::inline v0_1::detail
