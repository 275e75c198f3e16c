// A vector whose register is a vector of int32, whatever it holds, as every register of WebAssembly is.
#pragma once

#include <tenon/backend/cpu/lanes.hpp>

#include <cstdint>
#include <cstring>

namespace tenon::test {

template <class T>
struct int32_register {
  using value_type = T;
  static constexpr int size = backend::simd::widest<T>;
  struct batch {
    using register_type = typename backend::simd::lanes_of<std::int32_t, size * sizeof(T) / 4>::type;
    register_type data;

    batch() = default;
    explicit batch(register_type given) : data(given) {}
    operator register_type() const { return data; }
  };

  batch raw;

  int32_register() = default;
  int32_register(batch given) : raw(given) {}
  explicit int32_register(T x) {
    T all[size];
    for (T& to : all) to = x;
    *this = load(all);
  }
  static int32_register load(const T* from) {
    int32_register a;
    std::memcpy(&a.raw.data, from, sizeof a.raw.data);
    return a;
  }
  void store(T* to) const { std::memcpy(to, &raw.data, sizeof raw.data); }
};

}  // namespace tenon::test

template <class T>
inline constexpr bool tenon::backend::simd::is_vector<tenon::test::int32_register<T>> = true;

template <class T>
class tenon::backend::simd::part<tenon::test::int32_register<T>> {
 public:
  explicit part(int count) : first(count) {}
  tenon::test::int32_register<T> load(const T* from) const {
    T padded[tenon::test::int32_register<T>::size]{};
    std::memcpy(padded, from, static_cast<std::size_t>(first) * sizeof(T));
    return tenon::test::int32_register<T>::load(padded);
  }

 private:
  int first;
};
