// characters: a view of a string, with only what checking a graph needs. It converts to
// and from std::string_view, and into std::string. It is not std::string_view itself because <string_view>
// has 13,000 lines: 0.13 of the 0.49 s that checking a graph took with clang 19.
#pragma once

#include "tenon/meta/compiler.hpp"
#include "tenon/meta/namespaces.hpp"

#include <cstddef>

namespace tenon::inline v0_1::ir {

namespace detail {
template <class T>
concept String = requires(const T& s, const char*& first, std::size_t& size) {
  first = s.data();
  size = s.size();  // std::string_view, std::string, characters
};
}  // namespace detail

class characters {
 public:
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

  constexpr characters() = default;
  constexpr characters(const char* first, std::size_t size) : first_(first), size_(size) {}
  constexpr characters(const char* s) : first_(s) {
    while (s[size_] != 0) ++size_;
  }
  constexpr characters(const detail::String auto& s) : characters(s.data(), s.size()) {}

  template <detail::String Standard>
  requires requires(const char* first, std::size_t size) { Standard(first, size); }
  constexpr operator Standard() const { return Standard(first_, size_); }

  constexpr const char* data() const { return first_; }
  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const char* begin() const { return first_; }
  constexpr const char* end() const { return first_ + size_; }
  constexpr char operator[](std::size_t k) const { return first_[k]; }

  // At most `count` characters from `first` on, which must be within the view.
  constexpr characters substr(std::size_t first, std::size_t count = npos) const {
    return {first_ + first, count < size_ - first ? count : size_ - first};
  }
  constexpr bool starts_with(characters s) const { return size_ >= s.size_ && substr(0, s.size_) == s; }
  constexpr bool ends_with(char c) const { return size_ > 0 && first_[size_ - 1] == c; }
  // The first place at or after `from`, or npos.
  constexpr std::size_t find(characters s, std::size_t from = 0) const {
    for (std::size_t k = from; k + s.size_ <= size_; ++k)
      if (substr(k, s.size_) == s) return k;
    return npos;
  }

  friend constexpr bool operator==(characters a, characters b) {
    if (a.size_ != b.size_) return false;
    for (std::size_t k = 0; k < a.size_; ++k)
      if (a.first_[k] != b.first_[k]) return false;
    return true;
  }
  // A better match than std::string_view's own comparison, which would accept characters as well.
  friend constexpr bool operator==(characters a, const detail::String auto& b) { return a == characters(b); }

  friend constexpr bool operator<(characters a, characters b) {
    for (std::size_t k = 0; k < a.size_ && k < b.size_; ++k)
      if (a.first_[k] != b.first_[k])
        return static_cast<unsigned char>(a.first_[k]) < static_cast<unsigned char>(b.first_[k]);
    return a.size_ < b.size_;
  }
  friend constexpr bool operator<(characters a, const detail::String auto& b) { return a < characters(b); }
  friend constexpr bool operator<(const detail::String auto& a, characters b) { return characters(a) < b; }

  // As a std::string, which the stream's own header includes: width and fill apply.
  template <class Stream>
  friend auto operator<<(Stream& out, characters s) -> decltype(out << out.getloc().name()) {
    return out << decltype(out.getloc().name())(s.first_, s.size_);
  }

 private:
  const char* first_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace tenon::inline v0_1::ir
