// Writes works to a file, for contenders outside of the program: a line of JSON, then the arrays it names.
#pragma once

#include "support/contender.hpp"

#include <fstream>
#include <initializer_list>
#include <sstream>

namespace bench {

class works_file {
  std::ofstream file;
  std::ostringstream names;
  std::string content;

  void add(const std::string& name, char type, std::initializer_list<int> shape, const void* data,
           std::size_t bytes) {
    names << (names.tellp() > 0 ? ", " : "") << "[\"" << name << "\", \"" << type << "4\", [";
    for (const int* size = shape.begin(); size != shape.end(); ++size)
      names << (size == shape.begin() ? "" : ", ") << *size;
    names << "]]";
    content.append(static_cast<const char*>(data), bytes);
  }

 public:
  explicit works_file(const char* path) : file(path, std::ios::binary) {}
  explicit operator bool() const { return static_cast<bool>(file); }

  void add(const std::string& name, std::initializer_list<int> shape, std::span<const float> v) {
    add(name, 'f', shape, v.data(), v.size_bytes());
  }
  void add(const std::string& name, std::initializer_list<int> shape, std::span<const int> v) {
    add(name, 'i', shape, v.data(), v.size_bytes());
  }
  // Writes the work to which the arrays belong, with the answer of the naive reference.
  template <class Work>
  void finish(const Work& work) {
    const row r = work.describe();
    for (const auto& entry : contest<Work>::entries()) {
      if (entry.name != "naive reference") continue;
      const auto judge = entry.make(work);
      judge->reset();
      for (int k = 0; k < r.runs_to_check; ++k) judge->run();
      add("answer", {static_cast<int>(judge->output().size())}, judge->output());
    }
    file << "{\"group\": \"" << r.group << "\", \"name\": \"" << r.name << "\", \"runs\": " << r.runs_to_check
         << ", \"tolerance\": " << r.tolerance << ", \"multiply_adds\": " << r.multiply_adds
         << ", \"bytes_read\": " << r.bytes_read << ", \"arrays\": [" << names.str() << "]}\n"
         << content;
    names.str("");
    content.clear();
  }
};

}  // namespace bench
