// list<T, Capacity>: a growable array inside a constexpr value. It never allocates, so it can be kept from
// compile time.
#pragma once

#include "tenon/meta/compiler.hpp"
#include "tenon/meta/namespaces.hpp"

namespace tenon::ir {

namespace detail {
template <class T, int Capacity>
struct items_of {
  T all[Capacity > 0 ? Capacity : 1]{};
};
// clang evaluates the default members of each item; here once for a type, and copies are quick.
template <class T, int Capacity>
inline constexpr items_of<T, Capacity> blank_items{};
}  // namespace detail

template <class T, int Capacity>
struct list {
  static constexpr int capacity = Capacity;
  detail::items_of<T, Capacity> kept = detail::blank_items<T, Capacity>;
  int size = 0;

  constexpr list() = default;
  template <class... Items>
  requires(sizeof...(Items) > 0) constexpr list(const Items&... given) { (add(T(given)), ...); }

  constexpr int add(const T& item) {
    if (size == Capacity) throw "a tenon::list is full: the equation or graph is larger than its capacity";
    kept.all[size] = item;
    return size++;
  }
  constexpr T& operator[](int i) { return kept.all[i]; }
  constexpr const T& operator[](int i) const { return kept.all[i]; }
  constexpr T& last() { return kept.all[size - 1]; }
  constexpr T* begin() { return kept.all; }
  constexpr T* end() { return kept.all + size; }
  constexpr const T* begin() const { return kept.all; }
  constexpr const T* end() const { return kept.all + size; }
  constexpr bool empty() const { return size == 0; }

  // Position of an equal item, or -1.
  constexpr int find(const T& item) const {
    for (int i = 0; i < size; ++i)
      if (kept.all[i] == item) return i;
    return -1;
  }
  constexpr bool operator==(const list& other) const {
    if (size != other.size) return false;
    for (int i = 0; i < size; ++i)
      if (!(kept.all[i] == other.kept.all[i])) return false;
    return true;
  }
};

// A list that is kept in a program: in its own length, and once for all lists with the same items.
template <auto List>
inline constexpr auto constant_list = List;

}  // namespace tenon::ir
