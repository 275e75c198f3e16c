// The bodies of onnx_reader.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/io/file.hpp"
#include "tenon/meta/inline.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <set>
#include <type_traits>
#include <utility>

namespace tenon::inline v0_1::detail {

namespace onnx {

// A field of a message: a number, or bytes.
struct wire_field {
  int number = 0, kind = 0;  // kind: 0 variable, 1 eight bytes, 2 bytes, 5 four bytes
  std::uint64_t value = 0;
  std::string_view bytes{};
};

class file_reader {
 public:
  file_reader(const std::string& path, std::string_view file) : path_(path), file_(file) {}

  onnx_model model() {
    onnx_model made{.path = path_};
    bool has_graph = false;
    each(file_, [&](const wire_field& f) {
      if (f.number == 7) {
        made.graph = graph(bytes_of(f), 0);
        has_graph = true;
      } else if (f.number == 8) {
        std::string domain;
        std::int64_t version = 0;
        each(bytes_of(f), [&](const wire_field& o) {
          if (o.number == 1) domain = bytes_of(o);
          if (o.number == 2) version = whole_of(o);
        });
        if (domain.empty() || domain == "ai.onnx") made.opset = version;
      }
    });
    if (!has_graph) fail("no graph; is it an ONNX file?");
    if (made.opset < 13 || made.opset > 24)
      fail("expected an opset of 13 to 24, got " + std::to_string(made.opset));
    check_names(made.graph, {});
    return made;
  }

 private:
  const std::string& path_;
  std::string_view file_;
  std::map<std::string, std::string> others_{};  // second files

  [[noreturn]] void fail(const std::string& what) const { throw_data_error(path_, {what}); }
  [[noreturn]] void fail_at(std::string_view place, const std::string& what) const {
    fail("at byte " + std::to_string(place.data() - file_.data()) + ": " + what);
  }

  // Calls f for each field of a message.
  template <class F>
  void each(std::string_view message, F f) const {
    while (!message.empty()) {
      const std::string_view here = message;
      const std::uint64_t key = variable(message);
      wire_field found{static_cast<int>(key >> 3), static_cast<int>(key & 7u)};
      if (key >> 3 == 0 || key >> 3 > 1'000'000) fail_at(here, "no field of a message");
      if (found.kind == 0) {
        found.value = variable(message);
      } else {
        const std::uint64_t size = found.kind == 1   ? 8
                                   : found.kind == 2 ? variable(message)
                                   : found.kind == 5 ? 4
                                                     : fail_kind(here, found.kind);
        if (size > message.size())
          fail_at(here, "a field of " + std::to_string(size) + " bytes, and " +
                            std::to_string(message.size()) + " are left");
        found.bytes = message.substr(0, static_cast<std::size_t>(size));
        message.remove_prefix(static_cast<std::size_t>(size));
      }
      f(found);
    }
  }
  [[noreturn]] std::uint64_t fail_kind(std::string_view here, int kind) const {
    fail_at(here, "wire type " + std::to_string(kind) + " is not of this format");
  }
  std::uint64_t variable(std::string_view& from) const {
    std::uint64_t number = 0;
    const std::string_view here = from;
    for (int shift = 0; shift < 70; shift += 7) {
      if (from.empty()) fail_at(here, "a number is cut off");
      const auto byte = static_cast<unsigned char>(from.front());
      from.remove_prefix(1);
      if (shift == 63 && byte > 1) break;
      number |= std::uint64_t(byte & 127u) << shift;
      if (byte < 128) return number;
    }
    fail_at(here, "a number of more than 64 bits");
  }
  std::string_view bytes_of(const wire_field& f) const {
    if (f.kind != 2)
      fail("field " + std::to_string(f.number) + " of a message is a number, and bytes are expected");
    return f.bytes;
  }
  std::int64_t whole_of(const wire_field& f) const {
    if (f.kind != 0) fail("field " + std::to_string(f.number) + " of a message is no whole number");
    return static_cast<std::int64_t>(f.value);
  }
  template <class T>
  T number_of(std::string_view bytes) const {
    T number;
    if (bytes.size() != sizeof number) fail_at(bytes, "a number of another size");
    std::memcpy(&number, bytes.data(), sizeof number);
    return number;
  }
  // Repeated numbers are one field each, or packed side by side.
  void add_wholes(const wire_field& f, std::vector<std::int64_t>& to) const {
    if (f.kind == 0) return to.push_back(static_cast<std::int64_t>(f.value));
    for (std::string_view left = bytes_of(f); !left.empty();)
      to.push_back(static_cast<std::int64_t>(variable(left)));
  }
  template <class T>
  void add_numbers(const wire_field& f, std::vector<double>& to) const {
    if (f.bytes.size() % sizeof(T) != 0) fail_at(f.bytes, "numbers are cut off");
    for (std::size_t k = 0; k < f.bytes.size(); k += sizeof(T))
      to.push_back(static_cast<double>(number_of<T>(f.bytes.substr(k, sizeof(T)))));
  }

  static double half(std::uint16_t bits) {
    const int exponent = (bits >> 10) & 31, fraction = bits & 1023;
    const double size = exponent == 31  ? (fraction == 0 ? INFINITY : NAN)
                        : exponent == 0 ? std::ldexp(fraction, -24)
                                        : std::ldexp(1024 + fraction, exponent - 25);
    return (bits >> 15) != 0 ? -size : size;
  }
  static double brain(std::uint16_t bits) {
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16));
  }

  onnx_array tensor(std::string_view message, std::string& name) {
    onnx_array made;
    std::int64_t type = 0, location = 0;
    std::string_view raw;
    bool is_raw = false;
    std::vector<std::int64_t> integers, wide;
    std::map<std::string, std::string> elsewhere;
    each(message, [&](const wire_field& f) {
      switch (f.number) {
        case 1:
          add_wholes(f, made.shape);
          break;
        case 2:
          type = whole_of(f);
          break;
        case 4:
          add_numbers<float>(f, made.numbers);
          break;
        case 5:
          add_wholes(f, integers);
          break;
        case 7:
          add_wholes(f, wide);
          break;
        case 8:
          name = bytes_of(f);
          break;
        case 9:
          raw = bytes_of(f);
          is_raw = true;
          break;
        case 10:
          add_numbers<double>(f, made.numbers);
          break;
        case 13: {
          std::string key, value;
          each(bytes_of(f), [&](const wire_field& entry) {
            if (entry.number == 1) key = bytes_of(entry);
            if (entry.number == 2) value = bytes_of(entry);
          });
          elsewhere[key] = value;
          break;
        }
        case 14:
          location = whole_of(f);
          break;
        default:
          break;
      }
    });
    std::int64_t size = 1;
    for (const std::int64_t n : made.shape) {
      if (n < 0 || (n > 0 && size > (std::int64_t(1) << 40) / n))
        fail("tensor '" + name + "' has a dimension of " + std::to_string(n));
      size *= n;
    }
    if (location == 1) {
      raw = bytes_elsewhere(name, elsewhere);
      is_raw = true;
    }
    made.is_whole = type != 1 && type != 10 && type != 11 && type != 16;
    const auto read = [&]<class T>(T, auto convert) {
      if (raw.size() % sizeof(T) != 0 || raw.size() / sizeof(T) != static_cast<std::size_t>(size))
        fail("tensor '" + name + "': expected " + std::to_string(size) + " numbers of " +
             std::to_string(sizeof(T)) + " bytes, got " + std::to_string(raw.size()) + " bytes");
      for (std::size_t k = 0; k < raw.size(); k += sizeof(T)) convert(number_of<T>(raw.substr(k, sizeof(T))));
    };
    const auto as_number = [&](auto number) { made.numbers.push_back(static_cast<double>(number)); };
    const auto as_whole = [&](auto number) { made.integers.push_back(static_cast<std::int64_t>(number)); };
    if (is_raw) {
      switch (type) {
        case 1:
          read(float(), as_number);
          break;
        case 2:
        case 9:
          read(std::uint8_t(), as_whole);
          break;
        case 3:
          read(std::int8_t(), as_whole);
          break;
        case 6:
          read(std::int32_t(), as_whole);
          break;
        case 7:
          read(std::int64_t(), as_whole);
          break;
        case 10:
          read(std::uint16_t(), [&](std::uint16_t bits) { as_number(half(bits)); });
          break;
        case 11:
          read(double(), as_number);
          break;
        case 16:
          read(std::uint16_t(), [&](std::uint16_t bits) { as_number(brain(bits)); });
          break;
        default:
          fail("tensor '" + name + "' has the type " + std::to_string(type) +
               "; expected float, double, half, bfloat16, int8, int32, int64, uint8 or bool");
      }
    } else if (made.is_whole) {
      made.integers = type == 7 ? wide : integers;
      for (std::int64_t& n : made.integers)
        if (type != 7) n = static_cast<std::int32_t>(n);
    } else if (type == 10 || type == 16) {
      for (const std::int64_t bits : integers)
        as_number(type == 10 ? half(static_cast<std::uint16_t>(bits))
                             : brain(static_cast<std::uint16_t>(bits)));
    }
    const std::size_t got = made.is_whole ? made.integers.size() : made.numbers.size();
    if (got != static_cast<std::size_t>(size))
      fail("tensor '" + name + "': expected " + std::to_string(size) + " numbers, got " +
           std::to_string(got));
    return made;
  }
  std::string_view bytes_elsewhere(const std::string& name, const std::map<std::string, std::string>& at) {
    const auto number = [&](const char* key, std::int64_t otherwise) {
      const auto found = at.find(key);
      const std::int64_t n = found == at.end() ? otherwise : parse_whole_number(found->second);
      if (n < 0) fail("tensor '" + name + "' has no number as its " + key);
      return static_cast<std::size_t>(n);
    };
    const auto location = at.find("location");
    if (location == at.end() || location->second.empty() ||
        location->second.find_first_of("/\\") != std::string::npos)
      fail("tensor '" + name + "' is in a second file, which must lie beside this one");
    if (!others_.contains(location->second)) {
      const std::size_t end = path_.find_last_of('/');
      others_[location->second] =
          read_file((end == std::string::npos ? "" : path_.substr(0, end + 1)) + location->second);
    }
    const std::string& other = others_[location->second];
    const std::size_t first = number("offset", 0), size = number("length", 0);
    if (first > other.size() || size > other.size() - first)
      fail("tensor '" + name + "' reaches past the end of '" + location->second + "'");
    return std::string_view(other).substr(first, size);
  }

  onnx_read_value value(std::string_view message) {
    onnx_read_value made;
    each(message, [&](const wire_field& f) {
      if (f.number == 1) made.name = bytes_of(f);
      if (f.number != 2) return;
      each(bytes_of(f), [&](const wire_field& type) {
        if (type.number != 1) fail("'" + made.name + "' is no tensor");
        each(bytes_of(type), [&](const wire_field& part) {
          if (part.number == 1) {
            const std::int64_t number = whole_of(part);
            made.is_whole = number != 1 && number != 10 && number != 11 && number != 16;
          }
          if (part.number != 2) return;
          each(bytes_of(part), [&](const wire_field& shape) {
            onnx_read_dimension dimension;
            each(bytes_of(shape), [&](const wire_field& d) {
              if (d.number == 1) dimension.number = whole_of(d);
              if (d.number == 2) dimension.name = bytes_of(d);
            });
            constexpr std::int64_t most = 1 << 24;
            if (!dimension.name.empty() || dimension.number < 1) dimension.number = -1;
            if (dimension.number > most)
              fail("'" + made.name + "' has a dimension of " + std::to_string(dimension.number));
            made.shape.push_back(dimension);
          });
        });
      });
    });
    return made;
  }

  onnx_read_attribute attribute(std::string_view message, std::string& name, int depth) {
    onnx_read_attribute made;
    each(message, [&](const wire_field& f) {
      std::string ignored;
      switch (f.number) {
        case 1:
          name = bytes_of(f);
          break;
        case 2:
          made.number = static_cast<double>(number_of<float>(f.bytes));
          break;
        case 3:
          made.integer = whole_of(f);
          break;
        case 4:
          made.text = bytes_of(f);
          break;
        case 5:
          made.tensor = tensor(bytes_of(f), ignored);
          break;
        case 6:
          made.graph = std::make_shared<onnx_read_graph>(graph(bytes_of(f), depth + 1));
          break;
        case 7:
          add_numbers<float>(f, made.numbers);
          break;
        case 8:
          add_wholes(f, made.integers);
          break;
        case 9:
          made.texts.emplace_back(bytes_of(f));
          break;
        default:
          break;
      }
    });
    return made;
  }

  onnx_read_node node(std::string_view message, int depth) {
    onnx_read_node made;
    std::string domain;
    each(message, [&](const wire_field& f) {
      if (f.number == 1) made.inputs.emplace_back(bytes_of(f));
      if (f.number == 2) made.outputs.emplace_back(bytes_of(f));
      if (f.number == 3) made.name = bytes_of(f);
      if (f.number == 4) made.type = bytes_of(f);
      if (f.number == 7) domain = bytes_of(f);
      if (f.number != 5) return;
      std::string name;
      onnx_read_attribute found = attribute(bytes_of(f), name, depth);
      made.attributes[name] = std::move(found);
    });
    if (!domain.empty() && domain != "ai.onnx")
      fail(made.described() + " is of the domain '" + domain + "'; only ONNX's own operators are read");
    return made;
  }

  onnx_read_graph graph(std::string_view message, int depth) {
    if (depth > 8) fail("graphs within graphs, more than 8 deep");
    onnx_read_graph made;
    std::vector<onnx_read_value> inputs;
    each(message, [&](const wire_field& f) {
      if (f.number == 1) made.nodes.push_back(node(bytes_of(f), depth));
      if (f.number == 2) made.name = bytes_of(f);
      if (f.number == 11) inputs.push_back(value(bytes_of(f)));
      if (f.number == 12) made.outputs.push_back(value(bytes_of(f)));
      if (f.number == 15) fail("sparse tensors are not read");
      if (f.number != 5) return;
      std::string name;
      onnx_array found = tensor(bytes_of(f), name);
      if (!made.constants.emplace(name, std::move(found)).second)
        fail("two constants are named '" + name + "'");
    });
    for (onnx_read_value& v : inputs)
      if (!made.constants.contains(v.name)) made.inputs.push_back(std::move(v));
    return made;
  }

  // Each name is made once, and before it is read.
  void check_names(const onnx_read_graph& g, std::set<std::string> known) const {
    const auto make = [&](const std::string& name) {
      if (!name.empty() && !known.insert(name).second) fail("two values are named '" + name + "'");
    };
    for (const auto& [name, c] : g.constants) make(name);
    for (const onnx_read_value& v : g.inputs) make(v.name);
    for (const onnx_read_node& n : g.nodes) {
      for (const std::string& name : n.inputs)
        if (!name.empty() && !known.contains(name))
          fail(n.described() + " reads '" + name + "', which no node before it makes");
      for (const auto& [key, a] : n.attributes)
        if (a.graph != nullptr) check_names(*a.graph, known);
      for (const std::string& name : n.outputs) make(name);
    }
    for (const onnx_read_value& v : g.outputs)
      if (!known.contains(v.name)) fail("no node makes the output '" + v.name + "'");
  }
};

}  // namespace onnx

TENON_INLINE onnx_model parse_onnx(const std::string& path, std::string_view bytes) {
  return onnx::file_reader(path, bytes).model();
}
TENON_INLINE onnx_model read_onnx(const std::string& path) { return parse_onnx(path, read_file(path)); }

}  // namespace tenon::inline v0_1::detail
