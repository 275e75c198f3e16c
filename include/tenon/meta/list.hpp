// list<T, Capacity>: a growable array inside a constexpr value. It never allocates, so it can be kept from
// compile time.
#pragma once

#include "tenon/meta/compiler.hpp"

namespace tenon {

template <class T, int Capacity>
struct list {
  static constexpr int capacity = Capacity;
  T items[Capacity > 0 ? Capacity : 1]{};
  int size = 0;

  constexpr list() = default;
  template <class... Items>
  requires(sizeof...(Items) > 0) constexpr list(const Items&... given) { (add(T(given)), ...); }

  constexpr int add(const T& item) {
    if (size == Capacity) throw "a tenon::list is full: the equation or graph is larger than its capacity";
    items[size] = item;
    return size++;
  }
  constexpr T& operator[](int i) { return items[i]; }
  constexpr const T& operator[](int i) const { return items[i]; }
  constexpr T& last() { return items[size - 1]; }
  constexpr T* begin() { return items; }
  constexpr T* end() { return items + size; }
  constexpr const T* begin() const { return items; }
  constexpr const T* end() const { return items + size; }
  constexpr bool empty() const { return size == 0; }

  // Position of an equal item, or -1.
  constexpr int find(const T& item) const {
    for (int i = 0; i < size; ++i)
      if (items[i] == item) return i;
    return -1;
  }
  constexpr bool operator==(const list& other) const {
    if (size != other.size) return false;
    for (int i = 0; i < size; ++i)
      if (!(items[i] == other.items[i])) return false;
    return true;
  }
};

}  // namespace tenon
