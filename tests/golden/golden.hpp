// Reads the golden values that generate.py wrote: named float tensors, two lines each,
//   name d0 d1 ...
//   v0 v1 v2 ...        C order, as many as the product of the extents; a scalar has no extents and one value
// with comment lines (#) between tensors. Integers are stored the same way, exact up to 2^24.

#pragma once

#include "tenon/system/from_chars.hpp"

#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#ifndef TENON_GOLDEN_DIR
#define TENON_GOLDEN_DIR "tests/golden"
#endif

namespace tenon::golden {

struct tensor {
    std::vector<int> shape;  // empty for a scalar
    std::vector<float> values;
};

// One golden file in memory.
class file {
public:
    explicit file(std::string path);

    // The tensor of that name; std::out_of_range, naming file and tensor, if there is none.
    const tensor& operator[](const std::string& name) const;
    bool contains(const std::string& name) const { return tensors_.contains(name); }

    // The names, in the order of the file.
    const std::vector<std::string>& names() const { return names_; }
    const std::string& path() const { return path_; }

private:
    std::string path_;
    std::vector<std::string> names_;
    std::map<std::string, tensor> tensors_;
};

// Reads `<directory>/<name>.txt`. Throws std::runtime_error if it cannot be opened or, naming file and line,
// if it is malformed.
inline file read(const std::string& name, const std::string& directory = TENON_GOLDEN_DIR) {
    return file(directory + "/" + name + ".txt");
}

// Element k of the j-th parameter of the model in s1_adam, in [-0.1, 0.1); generate.py has the same function.
inline float fill(std::size_t j, std::size_t k) {
    std::uint32_t u = static_cast<std::uint32_t>(k) * 2654435761u;
    u += (static_cast<std::uint32_t>(j) + 1u) * 40503u * 65537u;
    u ^= u >> 15;
    u *= 2246822519u;
    u ^= u >> 13;
    return static_cast<float>((static_cast<double>(u) / 4294967296.0 - 0.5) * 0.2);
}

namespace detail {

[[noreturn]] inline void malformed(const std::string& path, int line, const std::string& what) {
    throw std::runtime_error(path + ":" + std::to_string(line) + ": " + what);
}

inline std::vector<std::string> words(const std::string& line) {
    const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
    std::vector<std::string> result;
    for (std::size_t i = 0; i < line.size();) {
        if (blank(line[i])) {
            ++i;
            continue;
        }
        const std::size_t begin = i;
        while (i < line.size() && !blank(line[i])) ++i;
        result.push_back(line.substr(begin, i - begin));
    }
    return result;
}

// `name d0 d1 ...` -> the name and the extents.
inline std::pair<std::string, std::vector<int>> parse_header(const std::string& path, int line,
                                                             const std::string& text) {
    const std::vector<std::string> parts = words(text);
    if (parts.empty()) malformed(path, line, "expected `name d0 d1 ...`, got an empty line");
    std::vector<int> shape;
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const std::string& part = parts[i];
        if (part.size() > 9 || part.find_first_not_of("0123456789") != std::string::npos)
            malformed(path, line, "tensor `" + parts[0] + "`: extent `" + part + "` is not a natural number");
        shape.push_back(std::stoi(part));
    }
    return {parts[0], shape};
}

inline std::vector<float> parse_values(const std::string& path, int line, const std::string& name,
                                       const std::vector<int>& shape, const std::string& text) {
    std::vector<float> values;
    for (const std::string& word : words(text)) {
        const char* const end = word.data() + word.size();
        float number = 0;
        if (tenon::detail::from_chars(word.data(), end, number).ptr != end)
            malformed(path, line, "tensor `" + name + "`: `" + word + "` is not a number");
        values.push_back(number);
    }
    std::size_t expected = 1;
    for (const int extent : shape) expected *= static_cast<std::size_t>(extent);
    if (values.size() != expected)
        malformed(path, line, "tensor `" + name + "`: its shape asks for " + std::to_string(expected) +
                                  " values, the line has " + std::to_string(values.size()));
    return values;
}

}  // namespace detail

inline file::file(std::string path) : path_(std::move(path)) {
    std::ifstream in(path_);
    if (!in)
        throw std::runtime_error(path_ + ": cannot open this golden file; run the test from the root of the "
                                         "repository, define TENON_GOLDEN_DIR as the folder of golden files, "
                                         "or write the file with tests/golden/generate.py");
    std::string text;
    for (int line = 1; std::getline(in, text); ++line) {
        if (text.starts_with('#')) continue;
        auto [name, shape] = detail::parse_header(path_, line, text);
        if (tensors_.contains(name))
            detail::malformed(path_, line, "tensor `" + name + "` stands here a second time");
        if (!std::getline(in, text))
            detail::malformed(path_, line, "the file ends before the values of `" + name + "`");
        ++line;
        std::vector<float> values = detail::parse_values(path_, line, name, shape, text);
        names_.push_back(name);
        tensors_.emplace(std::move(name), tensor{std::move(shape), std::move(values)});
    }
    if (in.bad()) throw std::runtime_error(path_ + ": reading failed");
}

inline const tensor& file::operator[](const std::string& name) const {
    const auto found = tensors_.find(name);
    if (found != tensors_.end()) return found->second;
    std::string known;
    for (const std::string& other : names_) known += (known.empty() ? "" : ", ") + other;
    if (known.empty()) known = "none";
    throw std::out_of_range(path_ + ": no tensor `" + name + "`; the file has " + known);
}

}  // namespace tenon::golden
