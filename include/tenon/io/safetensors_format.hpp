// The header of a safetensors file (https://github.com/huggingface/safetensors) and its checksums:
//   8 bytes, the length n of the header | n bytes of JSON | the tensors' numbers, little-endian, in C order
// Tenon's files have in their metadata a CRC-32 of each tensor's bytes, "tenon.crc32:<name>", and one of the header itself,
// "tenon.crc32", which is that of the header with eight zeros in its place. Files of others have none.
#pragma once

#include "tenon/io/crc.hpp"
#include "tenon/io/json.hpp"
#include "tenon/tensor/named_tensor.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::inline v0_1 {

namespace detail {

inline constexpr std::string_view safetensors_names[] = {"BOOL", "U8",  "I8",  "I16", "U16", "F16", "BF16",
                                                         "I32",  "U32", "F32", "F64", "I64", "U64"};
inline constexpr std::uint64_t longest_safetensors_header = 100'000'000;

inline constexpr std::string_view checksum_key = "tenon.crc32", unknown_checksum = "00000000";

// The names of checksums: "tenon.crc32", and "tenon.crc32:weight" for the tensor 'weight'.
bool is_checksum_key(std::string_view key);
inline std::string checksum_key_of(std::string_view tensor) {
  return message_of({checksum_key, ":", tensor});
}
// Eight hexadecimal digits.
std::string checksum_text(std::uint32_t crc);

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

  safetensors_header parse();

 private:
  const std::string& path_;
  std::span<const std::byte> file_, data_{};
  safetensors_header header_{};
  std::string checksum_{};        // that of the header, if the file has one
  std::size_t checksum_end_ = 0;  // the place behind it, and its quotation mark, in the header

  void read_metadata(json_reader& json, const std::string& key);
  void check_header(std::string_view text) const;
  void read_tensor(json_reader& json, const std::string& name);
  // The tensors must fill the data, without holes and overlaps.
  void check_layout();
  void check_names();
  [[noreturn, gnu::cold]] void fail(std::string_view name, std::initializer_list<message_part> problem) const;
};

inline safetensors_header parse_safetensors(const std::string& path, std::span<const std::byte> file) {
  return safetensors_parser(path, file).parse();
}

}  // namespace detail

}  // namespace tenon::inline v0_1

#ifndef TENON_COMPILED
#  include "tenon/io/safetensors_format.ipp"
#endif
