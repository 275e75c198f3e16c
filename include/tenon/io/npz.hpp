// NumPy's archives of arrays: io::npz_file("data.npz").read<float>("x"), io::write_npz("data.npz", {{"x", x}, {"y",
// y}}). Files of numpy.savez need nothing else, those of numpy.savez_compressed need deflate.hpp and zlib.
#pragma once

#include "tenon/io/npy_format.hpp"
#include "tenon/io/tensor_copy.hpp"
#include "tenon/io/utf8.hpp"
#include "tenon/io/xarray.hpp"
#include "tenon/io/zip.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tenon::inline v0_1::io {

class npz_file {
 public:
  // Throws data_error, which names the file and the entry, if the file is no zip archive, or an entry is cut off,
  // encrypted, or by its name no array.
  explicit npz_file(const std::string& path, detail::decompressor inflate = nullptr)
      : path_(path),
        file_(path),
        inflate_(inflate),
        entries_(detail::zip_parser(path_, file_.bytes()).parse()) {
    for (detail::zip_entry& entry : entries_) {
      if (!entry.name.ends_with(".npy"))
        detail::throw_data_error(path_,
                                 {"entry '", entry.name,
                                  "' is not an array (name.npy); a file of torch.save is not an npz file, "
                                  "save it by safetensors.torch.save_file"});
      entry.name.resize(entry.name.size() - 4);
    }
  }

  // The names without ".npy".
  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const detail::zip_entry& entry : entries_) result.push_back(entry.name);
    return result;
  }
  // Throws data_error for an array that is missing, is damaged (by its checksum), or that io::read_npy would not read.
  template <class T>
  xt::xarray<T> read(std::string_view name) const {
    const detail::zip_entry& entry = entry_of(name);
    const std::string where = detail::message_of({path_, ": ", name});
    if (entry.method == 8 && inflate_ != nullptr && entry.size > longest_header) check_start<T>(where, entry);
    std::vector<std::byte> unpacked;
    return to_xarray<T>(detail::parse_npy(where, detail::unpack(path_, entry, inflate_, unpacked)).tensor);
  }

 private:
  static constexpr std::size_t longest_header = 1 << 16;

  std::string path_;
  detail::mapped_file file_;
  detail::decompressor inflate_;
  std::vector<detail::zip_entry> entries_;

  const detail::zip_entry& entry_of(std::string_view name) const {
    const auto found =
        std::find_if(entries_.begin(), entries_.end(), [&](const auto& e) { return e.name == name; });
    if (found == entries_.end()) detail::throw_data_error(path_, {"has no array '", name, "'"});
    return *found;
  }
  // Unpacks only the header of an array, which must fit its size and the type that is asked for: deflate packs zeros to a
  // thousandth, so a small file may claim more memory than there is.
  template <class T>
  void check_start(const std::string& where, const detail::zip_entry& entry) const {
    std::vector<std::byte> start(longest_header);
    inflate_(entry.data, start);  // false, because there are more bytes than that
    const auto found = detail::parse_npy_header(where, start, entry.size);
    detail::check_readable<T>(where, found.header.type);
  }
};

// A named array, to be written.
using npz_entry = tensor_copy;

// Entries are stored, not compressed, as by numpy.savez. An old file is replaced as a whole. Throws input_error for two
// arrays of one name, a name that is empty or not UTF-8, and more than 4 GiB; data_error if the file cannot be written.
inline void write_npz(const std::string& path, const std::vector<npz_entry>& arrays) {
  detail::zip_replacement file(path);
  for (auto array = arrays.begin(); array != arrays.end(); ++array) {
    const named_tensor& t = array->tensor();
    if (t.name.empty() || !detail::is_utf8(t.name))
      detail::throw_input_error({path, ": '", t.name, "' is not a name for an array; give it one in UTF-8"});
    if (std::any_of(arrays.begin(), array,
                    [&](const npz_entry& other) { return other.tensor().name == t.name; }))
      detail::throw_input_error({path, ": '", t.name, "' is the name of two arrays"});
    const std::string head = detail::npy_head(t.type, t.shape);
    file.write(t.name + ".npy",
               {std::as_bytes(std::span(head)), {static_cast<const std::byte*>(t.data), t.bytes()}});
  }
  file.commit();
}

}  // namespace tenon::inline v0_1::io
