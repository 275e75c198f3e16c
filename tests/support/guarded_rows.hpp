// Rows between NaNs: code that reads outside them spoils its result, and writes outside are found. After the last row is a
// protected page, so that a read there is an error even if it spoils nothing, with every compiler and every instruction
// set. Under the address sanitizer a read between the rows is an error, too.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <vector>

#if __has_include(<sanitizer/asan_interface.h>)  // its macros do nothing without the sanitizer
#  include <sanitizer/asan_interface.h>
#else
#  define ASAN_POISON_MEMORY_REGION(address, size) static_cast<void>(0)
#  define ASAN_UNPOISON_MEMORY_REGION(address, size) static_cast<void>(0)
#endif

namespace tenon::test {

/// Numbers in [-1, 1), the same for the same seed.
class noise {
 public:
  explicit noise(std::uint64_t seed) : state(seed) {}
  double operator()() {  // splitmix64
    std::uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return static_cast<double>((z ^ (z >> 31)) >> 11) / 4503599627370496.0 - 1;
  }

 private:
  std::uint64_t state;
};

/// What spoils every result that depends on it: NaN. A compiler that may assume that there is none (-ffast-math) gets a large number.
template <class T>
inline constexpr T spoiler = __FINITE_MATH_ONLY__ ? T(-7.0625e17) : std::numeric_limits<T>::quiet_NaN();
template <class T>
bool is_spoiler(T a) {
  return __FINITE_MATH_ONLY__ ? a == spoiler<T> : std::isnan(a);
}

/// Numbers up to a page that can be neither read nor written.
template <class T>
class fenced_numbers {
 public:
  explicit fenced_numbers(std::size_t size) : count(size) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    before = (size * sizeof(T) + page - 1) / page * page;
    all = before + page;
    void* const got = ::mmap(nullptr, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (got == MAP_FAILED) throw std::bad_alloc();
    start = static_cast<std::byte*>(got);
    if (::mprotect(start + before, page, PROT_NONE) != 0) throw std::bad_alloc();
  }
  fenced_numbers(const fenced_numbers&) = delete;
  ~fenced_numbers() { ::munmap(start, all); }

  std::size_t size() const { return count; }
  T* data() const { return reinterpret_cast<T*>(start + before) - count; }
  T& operator[](std::size_t i) const { return data()[i]; }

 private:
  std::size_t count, before, all;  // numbers; bytes
  std::byte* start;
};

/// `rows` rows of `width` numbers that begin `stride` apart; deliberately not aligned to a vector, or aligned to a
/// cache line.
template <class T>
class guarded_rows {
 public:
  guarded_rows(int row_count, int row_width, int row_stride = 0, bool on_a_line = false)
      : rows(row_count),
        width(row_width),
        stride(row_stride > 0 ? row_stride : row_width),
        memory(zone + line + used()) {
    const std::size_t past_a_line = used() % line;  // counted from the end, which is aligned
    first = memory.size() - used() - (on_a_line ? (line - past_a_line) % line : past_a_line == 0);
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = spoiler<T>;
    for (int r = 0; r < rows; ++r)
      for (int j = 0; j < width; ++j) (*this)(r, j) = T(0);
    ASAN_POISON_MEMORY_REGION(memory.data(), memory.size() * sizeof(T));
    for (int r = 0; r < rows; ++r)
      ASAN_UNPOISON_MEMORY_REGION(&(*this)(r, 0), static_cast<std::size_t>(width) * sizeof(T));
  }
  guarded_rows(int row_count, int row_width, int row_stride, noise& random)
      : guarded_rows(row_count, row_width, row_stride) {
    fill([&](int, int) { return random(); });
  }
  guarded_rows(const guarded_rows&) = delete;
  ~guarded_rows() { ASAN_UNPOISON_MEMORY_REGION(memory.data(), memory.size() * sizeof(T)); }

  T* data() { return memory.data() + first; }
  const T* data() const { return memory.data() + first; }
  T& operator()(int r, int j) { return memory[first + index(r, j)]; }
  const T& operator()(int r, int j) const { return memory[first + index(r, j)]; }

  template <class F>
  void fill(F number) {
    for (int r = 0; r < rows; ++r)
      for (int j = 0; j < width; ++j) (*this)(r, j) = static_cast<T>(number(r, j));
  }
  /// The same numbers in double, for the reference.
  std::vector<double> numbers() const {
    std::vector<double> all;
    for (int r = 0; r < rows; ++r)
      for (int j = 0; j < width; ++j) all.push_back(static_cast<double>((*this)(r, j)));
    return all;
  }
  /// Is everything outside the rows unchanged?
  bool intact() {
    ASAN_UNPOISON_MEMORY_REGION(memory.data(), memory.size() * sizeof(T));
    for (std::size_t i = 0; i < memory.size(); ++i) {
      const std::size_t from_first = i - first, step = static_cast<std::size_t>(stride);
      const bool mine = i >= first && from_first / step < static_cast<std::size_t>(rows) &&
                        from_first % step < static_cast<std::size_t>(width);
      if (!mine && !is_spoiler(memory[i])) return false;
    }
    return true;
  }

  const int rows, width, stride;

 private:
  static constexpr std::size_t line = 64 / sizeof(T), zone = 64;  // elements
  std::size_t index(int r, int j) const {
    return static_cast<std::size_t>(r) * static_cast<std::size_t>(stride) + static_cast<std::size_t>(j);
  }

  // From the first number to one past the last.
  std::size_t used() const { return rows > 0 ? index(rows - 1, width) : 0; }

  fenced_numbers<T> memory;
  std::size_t first;
};

/// The largest |got - expected| / (1 + |expected|); NaN where only one of them is NaN.
template <class T>
double distance(const guarded_rows<T>& got, const std::vector<double>& expected) {
  double largest = 0;
  const std::vector<double> all = got.numbers();
  if (all.size() != expected.size()) return std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (std::isnan(all[i]) && std::isnan(expected[i])) continue;
    if (all[i] == expected[i]) continue;  // infinities
    const double d = std::abs(all[i] - expected[i]) / (1 + std::abs(expected[i]));
    if (!(d <= largest)) largest = d;
    if (std::isnan(largest)) return largest;
  }
  return largest;
}

}  // namespace tenon::test
