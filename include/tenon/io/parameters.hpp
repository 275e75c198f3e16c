// Parameters in a safetensors file: save(theta, "model.safetensors"), load(theta, "model.safetensors").
// Names and shapes are those of PyTorch's state dicts, for both; a convolution's weight is converted to
// PyTorch's order of axes and back.
#pragma once

// Included first, because compilers print each file on the include path to where errors are reported.
#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/io/safetensors.hpp"
#include "tenon/parameters/by_name.hpp"

#include <map>
#include <string>
#include <vector>

namespace tenon::inline v0_1 {

namespace io {

struct load_options {
  std::vector<detail::renaming>
      rename{};  // {{"encoder.rnn.*", "states.*"}}: the file's name, the graph's; the first match counts
  detail::name_patterns only{};   // which parameters are loaded, "embedded.*"; all others keep their values
  bool allow_missing = false;     // whether parameters that the file lacks keep their values
  bool allow_unexpected = false;  // whether the file may have tensors that are no parameters
};

struct save_options {
  detail::name_patterns only{};                                   // which parameters are saved
  std::map<std::string, std::string> metadata{{"format", "pt"}};  // as users of PyTorch write it
  bool checksums = true;                                          // whether the metadata have checksums
};

}  // namespace io

namespace detail {

// An open file that fits completely.
struct matched_file {
  io::safetensors_file file;
  by_name_options options;
  by_name_matching matching;

  matched_file(const std::string& path, ir::characters title, const std::vector<parameter_entry>& entries,
               const io::load_options& o);
};

template <class T>
void save_entries(const std::string& path, ir::characters title, const std::vector<parameter_entry>& entries,
                  const T* block, const io::save_options& options) {
  std::vector<std::vector<T>> kernels;
  std::vector<io::named_tensor> tensors = tensors_of(entries, block, kernels);
  std::erase_if(tensors, [&](const io::named_tensor& t) { return !options.only.match(t.name); });
  if (tensors.empty() && !entries.empty())
    throw_input_error({path, ": no parameter of graph '", title, "' has a name that .only asks for"});
  io::write_safetensors(path, tensors, options.metadata, {.checksums = options.checksums});
}

}  // namespace detail

// Fills every parameter from the tensor of its name; F16, BF16, F32 and F64 are converted. Of tied parameters the file
// may have either name, or both with the same numbers. Returns the names that .allow_missing and .allow_unexpected
// admit. Throws data_error if the file is malformed, or is damaged by its checksums. Another data_error lists every tensor that is missing, unexpected,
// of another shape or not of floating-point numbers. The parameters are then unchanged. (If another program cuts off
// the file during reading, that is also a data_error, but a part of the parameters may have changed.)
template <concepts::Graph G, class T>
detail::unmatched_names load(parameters<G, T>& theta, const std::string& path,
                             const io::load_options& options = {}) {
  const auto entries = detail::entries_of<G>();
  const detail::matched_file source(path, ir::title_of<G>(), entries, options);
  source.matching.copy_to(theta.data(),
                          [&](const io::named_tensor& tensor, T* to) { source.file.copy_bytes(tensor, to); });
  return source.matching.unmatched();
}

// Tied parameters are written under each of their names, as PyTorch requires. An old file is replaced as a whole.
// Throws data_error if it cannot be written.
template <concepts::Graph G, class T>
void save(const parameters<G, T>& theta, const std::string& path, const io::save_options& options = {}) {
  detail::save_entries(path, ir::title_of<G>(), detail::entries_of<G>(), theta.data(), options);
}

namespace io {
using tenon::load;
using tenon::save;
}  // namespace io

}  // namespace tenon::inline v0_1

#ifndef TENON_COMPILED
#  include "tenon/io/parameters.ipp"
#endif
