// The bodies of safetensors.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

namespace tenon::inline v0_1::io {

TENON_INLINE safetensors_file::safetensors_file(const std::string& path)
    : path_(path), file_(path), bytes_(file_->bytes()), header_(detail::parse_safetensors(path_, bytes_)) {
  check_tensors();
}
TENON_INLINE safetensors_file::safetensors_file(const std::string& name, std::span<const std::byte> bytes)
    : path_(name), bytes_(bytes), header_(detail::parse_safetensors(path_, bytes_)) {
  check_tensors();
}

TENON_INLINE const named_tensor* safetensors_file::find(std::string_view name) const {
  const auto found = std::lower_bound(tensors().begin(), tensors().end(), name,
                                      [](const named_tensor& t, std::string_view n) { return t.name < n; });
  return found != tensors().end() && found->name == name ? &*found : nullptr;
}

TENON_INLINE const named_tensor& safetensors_file::at(std::string_view name) const {
  const named_tensor* const found = find(name);
  if (found == nullptr) detail::throw_data_error(path_, {"has no tensor '", name, "'"});
  return *found;
}

TENON_INLINE void safetensors_file::copy_bytes(const named_tensor& tensor, std::size_t first,
                                               std::size_t count, void* to) const {
  if (!file_)
    std::copy_n(static_cast<const std::byte*>(tensor.data) + first, count, static_cast<std::byte*>(to));
  else if (!file_->copy({static_cast<const std::byte*>(tensor.data) + first, count}, to))
    detail::throw_data_error(path_, {"tensor '", tensor.name,
                                     "' cannot be read any more: the file was cut off after it was opened"});
}

TENON_INLINE void safetensors_file::check_tensors() const {
  std::vector<std::byte> piece(header_.checksums.empty() ? 0 : 1 << 17);
  for (const named_tensor& tensor : tensors()) {
    const auto expected = header_.checksums.find(tensor.name);
    if (expected == header_.checksums.end()) continue;
    std::uint32_t crc = 0;
    for (std::size_t first = 0; first < tensor.bytes(); first += piece.size()) {
      const std::span<std::byte> some =
          std::span(piece).first(std::min(piece.size(), tensor.bytes() - first));
      copy_bytes(tensor, first, some.size(), some.data());
      crc = detail::crc32(some, crc);
    }
    if (const std::string got = detail::checksum_text(crc); got != expected->second)
      detail::throw_data_error(path_, {"tensor '", tensor.name, "' is damaged: expected the checksum ",
                                       expected->second, ", got ", got, detail::checksum_remedy});
  }
}

}  // namespace tenon::inline v0_1::io

namespace tenon::inline v0_1::detail {

TENON_INLINE void reject_in_safetensors(const std::string& path, std::string_view name,
                                        std::string_view problem) {
  throw_input_error({path, ": '", name, "' ", problem});
}

TENON_INLINE void check_safetensors_metadata(const std::string& path,
                                             const std::map<std::string, std::string>& metadata) {
  for (const auto& [key, value] : metadata) {
    check_safetensors_text(path, key);
    check_safetensors_text(path, value);
    if (is_checksum_key(key)) reject_in_safetensors(path, key, "is the name of a checksum; take another");
  }
}

TENON_INLINE std::string safetensors_head(const std::string& path,
                                          const std::vector<const io::named_tensor*>& order,
                                          std::map<std::string, std::string> metadata, bool with_checksums) {
  if (with_checksums && !(order.empty() && metadata.empty())) {
    metadata.emplace(checksum_key, unknown_checksum);
    for (const io::named_tensor* t : order)
      metadata.emplace(checksum_key_of(t->name),
                       checksum_text(crc32({static_cast<const std::byte*>(t->data), t->bytes()})));
  }
  std::string header = "{";
  std::size_t checksum_at = 0;
  if (!metadata.empty()) {
    header += "\"__metadata__\":{";
    for (const auto& [key, value] : metadata) {
      header.append(header.back() == '{' ? "" : ",").append(json_string(key)).append(":");
      if (key == checksum_key) checksum_at = header.size() + 1;
      header += json_string(value);
    }
    header += "}";
  }
  std::size_t begin = 0;
  for (const io::named_tensor* t : order) {
    std::string shape = shape_text(t->shape);
    std::erase(shape, ' ');
    header += message_of({header.size() > 1 ? "," : "", json_string(t->name), ":{\"dtype\":\"",
                          safetensors_names[static_cast<std::size_t>(t->type)], "\",\"shape\":", shape,
                          ",\"data_offsets\":[", begin, ",", begin + t->bytes(), "]}"});
    begin += t->bytes();
  }
  header += "}";
  header.append((8 - header.size() % 8) % 8, ' ');
  const std::uint64_t length = header.size();
  if (length > longest_safetensors_header)
    throw_input_error({path, ": the names and the metadata have ", length, " bytes, at most ",
                       longest_safetensors_header, " are allowed"});
  if (checksum_at > 0)
    header.replace(checksum_at, unknown_checksum.size(),
                   checksum_text(crc32(std::as_bytes(std::span(header)))));
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + header;
}

}  // namespace tenon::inline v0_1::detail

namespace tenon::inline v0_1::io {

TENON_INLINE void write_safetensors(const std::string& path, const std::vector<named_tensor>& tensors,
                                    const std::map<std::string, std::string>& metadata,
                                    const safetensors_options& options) {
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
  const std::string head = detail::safetensors_head(path, order, metadata, options.checksums);
  detail::file_replacement file(path);
  file.write(head.data(), head.size());
  for (const named_tensor* t : order) file.write(t->data, t->bytes());
  file.commit();
}

TENON_INLINE void write_safetensors(const std::string& path, const std::vector<tensor_copy>& tensors,
                                    const std::map<std::string, std::string>& metadata,
                                    const safetensors_options& options) {
  std::vector<named_tensor> all;
  for (const tensor_copy& t : tensors) all.push_back(t.tensor());
  write_safetensors(path, all, metadata, options);
}

TENON_INLINE void write_safetensors(const std::string& path, std::initializer_list<tensor_copy> tensors,
                                    const std::map<std::string, std::string>& metadata,
                                    const safetensors_options& options) {
  write_safetensors(path, std::vector<tensor_copy>(tensors), metadata, options);
}

}  // namespace tenon::inline v0_1::io
