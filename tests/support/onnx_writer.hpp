// onnx_writer: small ONNX files, also wrong ones, field by field.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>

namespace tenon::test {

/// The fields of a message; each call returns the message, so that they can be chained.
class onnx_file {
 public:
  /// Numbers of unknown dimensions are below 0, each of its own name.
  onnx_file& input(const std::string& name, std::initializer_list<int> shape, bool is_whole = false) {
    return add(11, value(name, shape, is_whole));
  }
  onnx_file& output(const std::string& name) { return add(12, value(name, {})); }
  onnx_file& node(const std::string& type, std::initializer_list<const char*> inputs,
                  std::initializer_list<const char*> outputs, const std::string& domain = {},
                  std::initializer_list<std::uint64_t> perm = {},
                  std::initializer_list<std::uint64_t> axes = {}) {
    std::string n;
    for (const char* const name : inputs) n += field(1, name);
    for (const char* const name : outputs) n += field(2, name);
    for (const auto& [name, list] : {std::pair("perm", perm), std::pair("axes", axes)}) {
      std::string a = field(1, name) + number(20, 7);
      for (const std::uint64_t k : list) a += number(8, k);
      if (list.size() > 0) n += field(5, a);
    }
    return add(1, n + field(4, type) + (domain.empty() ? "" : field(7, domain)));
  }
  /// A constant of floats, 1 each, with so many numbers.
  onnx_file& constant(const std::string& name, std::initializer_list<std::int64_t> shape, int numbers) {
    std::string t, bytes;
    for (const std::int64_t d : shape) t += number(1, static_cast<std::uint64_t>(d));
    for (int k = 0; k < numbers; ++k) bytes += std::string("\x00\x00\x80\x3f", 4);
    return add(5, t + number(2, 1) + field(8, name) + field(9, bytes));
  }
  onnx_file& opset(int version) {
    version_ = version;
    return *this;
  }
  std::string bytes() const {
    return number(1, 8) + field(8, field(1, "") + number(2, static_cast<std::uint64_t>(version_))) +
           field(7, graph_);
  }

 private:
  std::string graph_{};
  int version_ = 18;

  onnx_file& add(int key, const std::string& message) {
    graph_ += field(key, message);
    return *this;
  }
  static std::string variable(std::uint64_t n) {
    std::string bytes;
    for (; n >= 128; n >>= 7) bytes += static_cast<char>((n & 127u) | 128u);
    return bytes + static_cast<char>(n);
  }
  static std::string number(int key, std::uint64_t n) {
    return variable(static_cast<std::uint64_t>(key) << 3) + variable(n);
  }
  static std::string field(int key, const std::string& bytes) {
    return variable(static_cast<std::uint64_t>(key) << 3 | 2u) + variable(bytes.size()) + bytes;
  }
  static std::string value(const std::string& name, std::initializer_list<int> shape, bool is_whole = false) {
    std::string dimensions;
    for (const int d : shape)
      dimensions +=
          field(1, d < 0 ? field(2, "n" + std::to_string(-d)) : number(1, static_cast<std::uint64_t>(d)));
    return field(1, name) + field(2, field(1, number(1, is_whole ? 7 : 1) + field(2, dimensions)));
  }
};

}  // namespace tenon::test
