// Laws of the file parsers for any bytes: a data_error, or a result that can be read to its end and written again. libfuzzer.cpp calls one
// of these functions in a search, tests/io/mutations.cpp calls all of them with the corpus. texts.hpp and trainings.hpp have more of them.
#pragma once

#include "io/fuzz/input.hpp"
#include "io/fuzz/word_vectors.hpp"
#include "tenon/io/idx.hpp"
#include "tenon/io/json.hpp"
#include "tenon/io/npy_format.hpp"
#include "tenon/io/npz.hpp"
#include "tenon/io/safetensors.hpp"
#include "tenon/io/zip.hpp"

#ifdef TENON_FUZZ_ZLIB
#  include "tenon/io/deflate.hpp"
#endif

#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace tenon::fuzz {

inline const std::string path = "file";

// Reads every number, so that a sanitizer finds a wrong range.
inline void read_all(const io::named_tensor& tensor) {
  double some[64];
  for (std::size_t at = 0; at < tensor.size(); at += std::size(some))
    read_numbers(tensor, at, std::min(std::size(some), tensor.size() - at), some);
}

inline bool safetensors(bytes file) {
  detail::safetensors_header header;
  try {
    header = detail::parse_safetensors(path, file);
  } catch (const data_error&) { return false; }
  std::size_t covered = 0;
  for (const io::named_tensor& t : header.tensors) {
    covered += t.bytes();
    read_all(t);
  }
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), sizeof length);
  require(8 + length + covered == file.size(), "tensors cover the data");
  for (std::size_t k = 1; k < header.tensors.size(); ++k)
    require(header.tensors[k - 1].name < header.tensors[k].name, "names are sorted and differ");
  return true;
}

inline bool npy(bytes file) {
  try {
    const detail::npy_array array = detail::parse_npy(path, file);
    require(array.ordered.empty() || array.ordered.size() == array.tensor.bytes(),
            "the numbers are all ordered");
    read_all(array.tensor);
    // The array written again reads back as the same array.
    std::string again = detail::npy_head(array.tensor.type, array.tensor.shape);
    require(again.size() % 64 == 0, "the numbers start at a multiple of 64");
    again.append(static_cast<const char*>(array.tensor.data), array.tensor.bytes());
    const detail::npy_array second = detail::parse_npy(path, std::as_bytes(std::span(again)));
    require(second.tensor.shape == array.tensor.shape && second.tensor.type == array.tensor.type,
            "an array that is written is read again");
  } catch (const data_error&) { return false; }
  return true;
}

inline bool idx(bytes file) {
#ifdef TENON_FUZZ_ZLIB
  io::gzipped(file);
#endif
  try {
    const detail::idx_array array = detail::parse_idx(path, file);
    require(array.ordered.empty() || array.ordered.size() == array.tensor.bytes(),
            "the numbers are all ordered");
    require(4 + 4 * array.tensor.shape.size() + array.tensor.bytes() == file.size(),
            "the array is all of the file");
    read_all(array.tensor);
  } catch (const data_error&) { return false; }
  return true;
}

inline bool zip(bytes file) {
  std::vector<detail::zip_entry> entries;
  try {
    entries = detail::zip_parser(path, file).parse();
  } catch (const data_error&) { return false; }
  detail::decompressor inflate = nullptr;
#ifdef TENON_FUZZ_ZLIB
  inflate = io::deflated;
#endif
  for (const detail::zip_entry& entry : entries) {
    require(entry.data.data() >= file.data() &&
                entry.data.data() + entry.data.size() <= file.data() + file.size(),
            "entries are within the file");
    npy(entry.data);
    if (entry.size > 1 << 20) continue;  // a search for errors needs many short inputs
    std::vector<std::byte> unpacked;
    try {
      require(detail::unpack(path, entry, inflate, unpacked).size() == entry.size,
              "an entry is as long as the archive says");
    } catch (const data_error&) {}
  }
  return true;
}

// As a file, whose arrays are converted; those that are read are written and read again.
inline bool npz(bytes file) {
#ifdef TENON_FUZZ_ZLIB
  const detail::decompressor inflate = io::deflated;
#else
  const detail::decompressor inflate = nullptr;
#endif
  try {
    const io::npz_file arrays(file_of(text_of(file)), inflate);
    for (const std::string& name : arrays.names()) {
      const xt::xarray<double> array = arrays.read<double>(name);
      io::write_npz(scratch("arrays"), {{"x", array}});
      const xt::xarray<double> again = io::npz_file(scratch("arrays")).read<double>("x");
      require(again.shape() == array.shape() &&
                  (array.size() == 0 ||
                   std::memcmp(again.data(), array.data(), array.size() * sizeof(double)) == 0),
              "an array that is written is read again");
    }
  } catch (const data_error&) { return false; }
  return true;
}

// Reads a value of the kind that the grammar gives for its depth.
inline void take_json(detail::json_reader& json, std::string_view grammar, std::size_t depth) {
  const int kind = depth < grammar.size() ? grammar[depth] % 4 : 3;
  if (kind == 0) {
    json.object([&](const std::string&) { take_json(json, grammar, depth + 1); });
  } else if (kind == 1) {
    json.list([&] { take_json(json, grammar, depth + 1); });
  } else if (kind == 2) {
    const std::string value = json.string(), written = detail::json_string(value);
    detail::json_reader again(path, written, 0);
    require(again.string() == value, "a string that is written is read again");
    require(detail::is_utf8(value), "strings are UTF-8");
  } else {
    json.whole_number();
  }
}

// The first byte is the number of following bytes that are the grammar: objects, lists, strings or numbers, level by level.
inline bool json(bytes file) {
  std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  if (text.empty()) return false;
  const std::size_t kinds = std::min<std::size_t>(static_cast<unsigned char>(text[0]) % 8, text.size() - 1);
  const std::string_view grammar = text.substr(1, kinds);
  try {
    detail::json_reader reader(path, text.substr(1 + kinds), 1 + kinds);
    take_json(reader, grammar, 0);
    reader.expect_end();
  } catch (const data_error&) { return false; }
  return true;
}

// In each format; true if at least one accepts the file.
inline bool word_vectors(bytes file) {
  const bool text = word2vec_text(file), binary = word2vec_binary(file);
  return glove(file) || text || binary;
}

}  // namespace tenon::fuzz
