// safetensors: named tensors and metadata texts in one file, in the format of Hugging Face's library of this name
// (https://github.com/huggingface/safetensors), with checksums. `io::safetensors_file` reads such a file without copying
// it, `io::write_safetensors` writes one.
#pragma once

#include "tenon/io/mapped_file.hpp"
#include "tenon/io/safetensors_format.hpp"
#include "tenon/io/tensor_copy.hpp"
#include "tenon/tensor/named_tensor.hpp"

#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tenon::inline v0_1 {

namespace io {

// An open file. Its tensors' `data` point into it: they are valid as long as the file object, and are fetched
// from the disk when they are read.
class safetensors_file {
 public:
  // Throws data_error, which names the file and the tensor, for everything that the format forbids: a header that is
  // cut off, too long or no JSON of this kind, a name that occurs twice, shapes that do not fit their bytes, tensors
  // that overlap, leave holes or reach past the end; also for a tensor that has another checksum than the file says.
  // Files of Tenon have checksums, and are read once as a whole for them.
  explicit safetensors_file(const std::string& path);
  // The same of bytes in memory, which stay there and do not change while this lives; errors say `name` in place of the path.
  safetensors_file(const std::string& name, std::span<const std::byte> bytes);

  const std::string& path() const { return path_; }
  std::span<const std::byte> bytes() const { return bytes_; }
  const std::vector<named_tensor>& tensors() const { return header_.tensors; }  // by name
  const std::map<std::string, std::string>& metadata() const { return header_.metadata; }

  // Null if there is no such tensor.
  const named_tensor* find(std::string_view name) const;
  // Throws data_error if there is none.
  const named_tensor& at(std::string_view name) const;
  // Copies the bytes of one of its tensors to memory of that size. Throws data_error if another program
  // has shortened the file meanwhile.
  void copy_bytes(const named_tensor& tensor, void* to) const { copy_bytes(tensor, 0, tensor.bytes(), to); }

 private:
  void copy_bytes(const named_tensor& tensor, std::size_t first, std::size_t count, void* to) const;
  // Copies of pieces that stay in the cache cost less than the pages of a mapped file.
  void check_tensors() const;

  std::string path_;
  std::optional<detail::mapped_file> file_{};
  std::span<const std::byte> bytes_;
  detail::safetensors_header header_;
};

}  // namespace io
namespace detail {

[[noreturn]] void reject_in_safetensors(const std::string& path, std::string_view name,
                                        std::string_view problem);
inline void check_safetensors_text(const std::string& path, const std::string& text) {
  if (!is_utf8(text)) reject_in_safetensors(path, text, "is not UTF-8, which a safetensors file asks for");
}
void check_safetensors_metadata(const std::string& path, const std::map<std::string, std::string>& metadata);
// The bytes before the tensors' numbers; these follow in this order.
std::string safetensors_head(const std::string& path, const std::vector<const io::named_tensor*>& order,
                             std::map<std::string, std::string> metadata, bool with_checksums);

}  // namespace detail
namespace io {

struct safetensors_options {
  bool checksums = true;  // whether the metadata have the checksums of the header and of each tensor
};

// Writes a file as Hugging Face's library does: tensors by the size of their numbers, the largest first, then by name;
// the data starts at a multiple of 8 bytes. An old file is replaced as a whole. Throws input_error for tensors that the
// format forbids (two of one name, names and metadata that are not UTF-8) and for metadata with the name of a checksum, data_error if the file cannot be written.
void write_safetensors(const std::string& path, const std::vector<named_tensor>& tensors,
                       const std::map<std::string, std::string>& metadata = {},
                       const safetensors_options& options = {});

// The same for views and other tensor expressions, whatever their strides: write_safetensors("states.safetensors",
// {{"states", get<"states">(run)}}).
void write_safetensors(const std::string& path, const std::vector<tensor_copy>& tensors,
                       const std::map<std::string, std::string>& metadata = {},
                       const safetensors_options& options = {});
void write_safetensors(const std::string& path, std::initializer_list<tensor_copy> tensors,
                       const std::map<std::string, std::string>& metadata = {},
                       const safetensors_options& options = {});

}  // namespace io

}  // namespace tenon::inline v0_1

#ifndef TENON_COMPILED
#  include "tenon/io/safetensors.ipp"
#endif
