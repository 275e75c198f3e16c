// Writes works to a file, for contenders outside of the program: a line of JSON, then the arrays it names.
#pragma once

#include "support/contender.hpp"

#include <cstddef>
#include <fstream>
#include <span>
#include <sstream>
#include <string>
#include <vector>

namespace bench {

class work_file {
  std::ofstream file;
  std::ostringstream names;
  std::string content;

  void add(const std::string& name, char type, const std::vector<long>& shape, const void* data,
           std::size_t bytes) {
    names << (names.tellp() > 0 ? ", " : "") << "[\"" << name << "\", \"" << type << "4\", [";
    for (std::size_t k = 0; k < shape.size(); ++k) names << (k == 0 ? "" : ", ") << shape[k];
    names << "]]";
    content.append(static_cast<const char*>(data), bytes);
  }

 public:
  explicit work_file(const std::string& path) : file(path, std::ios::binary) {}

  void add(const std::string& name, const std::vector<long>& shape, std::span<const float> v) {
    add(name, 'f', shape, v.data(), v.size_bytes());
  }
  void add(const std::string& name, const std::vector<long>& shape, std::span<const int> v) {
    add(name, 'i', shape, v.data(), v.size_bytes());
  }
  // Writes the work to which the arrays belong. Returns whether that was possible.
  bool finish(const row& r) {
    file << "{\"group\": \"" << r.group << "\", \"name\": \"" << r.name << "\", \"arrays\": [" << names.str()
         << "]}\n"
         << content << std::flush;
    return static_cast<bool>(file);
  }
};

}  // namespace bench
