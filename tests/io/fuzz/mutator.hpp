// The corpus of a target of tests/io/fuzz, and the same with a few random changes, for tests of every day.
#pragma once

#include "io/fuzz/input.hpp"
#include "tenon/io/file.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace tenon::fuzz {

inline std::vector<std::string> corpus_of(const std::string& target) {
  std::vector<std::string> texts;
  for (const auto& entry :
       std::filesystem::directory_iterator(TENON_SOURCE_DIR "/tests/io/fuzz/corpus/" + target))
    texts.push_back(detail::read_file(entry.path().string()));
  std::sort(texts.begin(), texts.end());  // a folder's order is unspecified
  return texts;
}

class mutator {
 public:
  explicit mutator(const std::vector<std::string>& corpus) : corpus_(corpus) {}

  std::string next() {
    std::string text = corpus_[below(corpus_.size())];
    for (std::size_t changes = 1 + below(4); changes > 0; --changes) change(text);
    return text;
  }

 private:
  const std::vector<std::string>& corpus_;
  std::mt19937 random_{1};

  std::size_t below(std::size_t n) { return n == 0 ? 0 : random_() % n; }
  void change(std::string& text) {
    const std::size_t at = below(text.size());
    switch (below(8)) {
      case 0:
        text.resize(at);
        break;
      case 1:
        text.erase(at, 1 + below(8));
        break;
      case 2:
        text.insert(at, text, below(text.size()), 1 + below(16));
        break;
      case 3:
        text.insert(at, 1, "0123456789{}[]()\",:'\\ \0"[below(24)]);
        break;
      case 4: {
        const std::string& other = corpus_[below(corpus_.size())];
        text.replace(at, std::string::npos, other, below(other.size()));
        break;
      }
      case 5:
        for (std::size_t k = at; k < at + 4 && k < text.size(); ++k) text[k] = '\xFF';
        break;
      default:
        if (!text.empty())
          text[at] = static_cast<char>(
              below(2) == 0 ? below(256) : static_cast<unsigned char>(text[at]) ^ std::size_t{1} << below(8));
    }
  }
};

// How many of the inputs are accepted.
inline int run(const std::string& target, bool (*parser)(bytes), int mutations) {
  const std::vector<std::string> corpus = corpus_of(target);
  REQUIRE(corpus.size() > 3);
  int accepted = 0;
  for (const std::string& text : corpus) accepted += parser(std::as_bytes(std::span(text)));
  mutator all(corpus);
  for (int k = 0; k < mutations; ++k) {
    const std::string text = all.next();
    const std::vector<char> exact(text.begin(), text.end());  // without spare memory past its end
    accepted += parser(std::as_bytes(std::span(exact)));
  }
  return accepted;
}

}  // namespace tenon::fuzz
