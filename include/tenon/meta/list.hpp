// list<T, Capacity>: a growable array inside a constexpr value. It never allocates, so it can be kept from
// compile time. list_view<T>: the items of any list, read in place. A value that consists of lists chooses their type
// by a policy, growing, viewed or kept<n>: `basic_program<Lists>` has
// `typename Lists::template list<instruction, 512>`.
#pragma once

#include "tenon/meta/compiler.hpp"
#include "tenon/meta/namespaces.hpp"

#include <initializer_list>

namespace tenon::inline v0_1::ir {

namespace detail {
template <class T, int Capacity>
struct items_of {
  T all[Capacity > 0 ? Capacity : 1]{};
};
// clang evaluates the default members of each item. With this it does so once for each type, and copies are quick.
template <class T, int Capacity>
inline constexpr items_of<T, Capacity> blank_items{};
}  // namespace detail

template <class T>
struct list_view {
  const T* items = nullptr;
  int size = 0;

  constexpr const T& operator[](int i) const { return items[i]; }
  constexpr const T& last() const { return items[size - 1]; }
  constexpr const T* begin() const { return items; }
  constexpr const T* end() const { return items + size; }
  constexpr bool empty() const { return size == 0; }

  // Position of an equal item, or -1.
  constexpr int find(const T& item) const {
    for (int i = 0; i < size; ++i)
      if (items[i] == item) return i;
    return -1;
  }
  constexpr bool operator==(const list_view& other) const {
    if (size != other.size) return false;
    for (int i = 0; i < size; ++i)
      if (!(items[i] == other.items[i])) return false;
    return true;
  }
};

template <class T, int Capacity>
struct list {
  static constexpr int capacity = Capacity;
  detail::items_of<T, Capacity> kept = detail::blank_items<T, Capacity>;
  int size = 0;

  constexpr list() = default;
  constexpr list(list_view<T> from) {
    if (from.size > Capacity)
      throw "a tenon::list is full: the equation or graph is larger than its capacity";
    for (size = 0; size < from.size; ++size) kept.all[size] = from.items[size];
  }
  template <int Other>
  constexpr list(const list<T, Other>& from) : list(list_view<T>(from)) {}
  template <class... Items>
  requires(sizeof...(Items) > 0) constexpr list(const Items&... items) { (add(T(items)), ...); }

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

  constexpr operator list_view<T>() const { return {kept.all, size}; }

  // Position of an equal item, or -1.
  constexpr int find(const T& item) const {
    for (int i = 0; i < size; ++i)
      if (kept.all[i] == item) return i;
    return -1;
  }
  // (For two lists. A list and a view are compared as views.)
  template <class Same>
  requires(Same::capacity == Capacity) constexpr bool operator==(const Same& other) const {
    if (size != other.size) return false;
    for (int i = 0; i < size; ++i)
      if (!(kept.all[i] == other.kept.all[i])) return false;
    return true;
  }
};

// --- the lists of a value: as it grows, as it is read, as it is kept -----------------------------------------
struct growing {
  template <class T, int Capacity>
  using list = ir::list<T, Capacity>;
};
struct viewed {
  template <class T, int>
  using list = list_view<T>;
};
template <int Most>
struct kept {
  template <class T, int Capacity>
  using list = ir::list<T, (Capacity < Most ? Capacity : Most)>;
};

// The largest of these sizes: the length of a value's longest list.
constexpr int longest_of(std::initializer_list<int> sizes) {
  int longest = 0;
  for (int size : sizes) longest = size > longest ? size : longest;
  return longest;
}

// A list as a constant of the program: in its exact length, and stored once for all lists with the same items.
template <auto List>
inline constexpr auto constant_list = List;

}  // namespace tenon::inline v0_1::ir
