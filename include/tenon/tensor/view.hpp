// view<T>: a borrowed tensor of run-time shape with strides. It has the members of an xtensor expression (dimension,
// shape, operator()), so that functions accept either. Parentheses give elements, v(i, j); brackets give views, v[i]; a
// loop over a view visits all its elements in C order.
// view<T, Rank>, of sessions and parameters, has its rank in its type: another number of indices does not compile.
#pragma once

#include <array>
#include <compare>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace tenon::inline v0_1 {

namespace detail {
inline constexpr int max_rank = 4;
// An integer of any type: {v.size(), 3} is a list of these, and would narrow as a list of std::ptrdiff_t. It is no
// template, because every program that uses a view would instantiate it.
struct whole_number {
  constexpr whole_number(int n) : value(n) {}
  constexpr whole_number(long n) : value(n) {}
  constexpr whole_number(long long n) : value(static_cast<std::ptrdiff_t>(n)) {}
  constexpr whole_number(unsigned n) : value(static_cast<std::ptrdiff_t>(n)) {}
  constexpr whole_number(unsigned long n) : value(static_cast<std::ptrdiff_t>(n)) {}
  constexpr whole_number(unsigned long long n) : value(static_cast<std::ptrdiff_t>(n)) {}
  std::ptrdiff_t value;
};
// The type of an index of an element or an axis.
template <class I>
concept Index = std::convertible_to<I, std::ptrdiff_t>;
inline constexpr int any_rank = -1;  // known at run time
}  // namespace detail

template <class T, int Rank = detail::any_rank>
class view;

template <class T>
class view<T, detail::any_rank> {
 public:
  using value_type = T;
  class iterator;

  constexpr view() = default;
  constexpr view(T* data, std::initializer_list<detail::whole_number> shape,
                 std::initializer_list<detail::whole_number> strides)
      : data_(data), rank_(shape.size()) {
    std::size_t k = 0;
    for (detail::whole_number s : shape)
      shape_[k++] = s.value < 0 ? negative_extent(s.value) : static_cast<std::size_t>(s.value);
    k = 0;
    for (detail::whole_number s : strides) strides_[k++] = s.value;
  }
  // A tensor in C order without gaps.
  constexpr view(T* data, std::initializer_list<detail::whole_number> shape) : view(data, shape, {}) {
    std::ptrdiff_t stride = 1;
    for (std::size_t k = rank_; k-- > 0;) {
      strides_[k] = stride;
      stride *= static_cast<std::ptrdiff_t>(shape_[k]);
    }
  }
  template <std::same_as<const T> Const>
  constexpr operator view<Const>() const {
    return view<Const>(data_, rank_, shape_, strides_);
  }

  // Of size() elements in C order; throws std::invalid_argument for other strides, as of an output of several sequences.
  // data_handle(), the name of std::mdspan, is the first element of any view.
  constexpr T* data() const {
    if (!is_contiguous()) throw_strided_data();
    return data_;
  }
  constexpr T* data_handle() const { return data_; }
  constexpr std::size_t dimension() const { return rank_; }
  constexpr const std::array<std::size_t, detail::max_rank>& shape() const { return shape_; }
  constexpr std::size_t shape(std::size_t axis) const { return shape_[axis]; }
  constexpr std::ptrdiff_t stride(std::size_t axis) const { return strides_[axis]; }
  constexpr std::size_t shape(std::signed_integral auto axis) const {
    return shape(static_cast<std::size_t>(axis));
  }
  constexpr std::ptrdiff_t stride(std::signed_integral auto axis) const {
    return stride(static_cast<std::size_t>(axis));
  }
  // The names of std::mdspan for dimension() and shape(axis).
  constexpr std::size_t rank() const { return rank_; }
  constexpr std::size_t extent(detail::Index auto axis) const { return shape(axis); }
  // The number of elements: 1 for rank 0, or 0 if there is no memory.
  constexpr std::size_t size() const {
    std::size_t n = rank_ == 0 && data_ == nullptr ? 0 : 1;
    for (std::size_t k = 0; k < rank_; ++k) n *= shape_[k];
    return n;
  }
  constexpr bool is_contiguous() const {
    std::ptrdiff_t expected = 1;
    for (std::size_t k = rank_; k-- > 0;) {
      if (shape_[k] != 1 && strides_[k] != expected) return size() == 0;
      expected *= static_cast<std::ptrdiff_t>(shape_[k]);
    }
    return true;
  }

  // Unchecked, as in xtensor; `at` checks rank and bounds.
  template <detail::Index... I>
  requires(sizeof...(I) <= detail::max_rank)  //
      constexpr T&
      operator()(I... i) const {
    std::ptrdiff_t offset = 0;
    std::size_t k = 0;
    ((offset += static_cast<std::ptrdiff_t>(i) * strides_[k++]), ...);
    return data_[offset];
  }
  constexpr T& at(detail::Index auto... i) const {
    const std::array<std::ptrdiff_t, sizeof...(i)> index{static_cast<std::ptrdiff_t>(i)...};
    if (sizeof...(i) != rank_)
      throw std::out_of_range("tensor of rank " + std::to_string(rank_) + " read with " +
                              std::to_string(sizeof...(i)) + " indices");
    for (std::size_t k = 0; k < rank_; ++k)
      if (index[k] < 0 || index[k] >= static_cast<std::ptrdiff_t>(shape_[k]))
        throw std::out_of_range("index " + std::to_string(index[k]) + " on axis " + std::to_string(k) +
                                " of size " + std::to_string(shape_[k]));
    return (*this)(i...);
  }
  // The part at i of the first axis, a view with one axis less: scores[row][step] of [rows, time, D] has D elements.
  // Unchecked; the view must have an axis.
  constexpr view operator[](detail::Index auto i) const {
    view part;
    part.data_ = data_ + static_cast<std::ptrdiff_t>(i) * strides_[0];
    part.rank_ = rank_ - 1;
    for (std::size_t k = 1; k < detail::max_rank; ++k) {
      part.shape_[k - 1] = shape_[k];
      part.strides_[k - 1] = strides_[k];
    }
    return part;
  }

  // All elements in C order, whatever the strides.
  constexpr iterator begin() const { return iterator(*this, 0); }
  constexpr iterator end() const { return iterator(*this, static_cast<std::ptrdiff_t>(size())); }

 private:
  template <class, int>
  friend class view;
  constexpr view(T* data, std::size_t rank, const std::array<std::size_t, detail::max_rank>& shape,
                 const std::array<std::ptrdiff_t, detail::max_rank>& strides)
      : data_(data), rank_(rank), shape_(shape), strides_(strides) {}

  [[gnu::cold, gnu::noinline]] static std::size_t negative_extent(std::ptrdiff_t n) {
    throw std::invalid_argument("a view cannot have an extent of " + std::to_string(n));
  }
  [[noreturn, gnu::cold, gnu::noinline]] void throw_strided_data() const {
    std::string strides;
    for (std::size_t k = 0; k < rank_; ++k) strides += (k > 0 ? ", " : "") + std::to_string(strides_[k]);
    throw std::invalid_argument("data() of a view with strides [" + strides +
                                "]: expected C order without gaps; copy it, as in std::vector(v.begin(), "
                                "v.end()), or use data_handle() with the strides");
  }

  T* data_ = nullptr;
  std::size_t rank_ = 0;
  std::array<std::size_t, detail::max_rank> shape_{};
  std::array<std::ptrdiff_t, detail::max_rank> strides_{};
};

// A random access iterator, valid as long as the memory, even after the view itself is gone. A step along the last axis
// adds its stride; every other move computes the offset from the number of the element.
template <class T>
class view<T>::iterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::remove_cv_t<T>;
  using difference_type = std::ptrdiff_t;
  using pointer = T*;
  using reference = T&;

  constexpr iterator() = default;
  constexpr T& operator*() const { return of_.data_[offset_]; }
  constexpr T* operator->() const { return &**this; }
  constexpr T& operator[](difference_type n) const { return *(*this + n); }

  constexpr iterator& operator++() {
    if (--left_ == 0) return *this += 1;
    ++number_;
    offset_ += of_.strides_[of_.rank_ - 1];
    return *this;
  }
  constexpr iterator& operator--() { return *this -= 1; }
  constexpr iterator operator++(int) {
    const iterator before = *this;
    ++*this;
    return before;
  }
  constexpr iterator operator--(int) {
    const iterator before = *this;
    --*this;
    return before;
  }
  constexpr iterator& operator+=(difference_type n) {
    move_to(number_ + n);
    return *this;
  }
  constexpr iterator& operator-=(difference_type n) { return *this += -n; }
  friend constexpr iterator operator+(iterator i, difference_type n) { return i += n; }
  friend constexpr iterator operator+(difference_type n, iterator i) { return i += n; }
  friend constexpr iterator operator-(iterator i, difference_type n) { return i -= n; }
  friend constexpr difference_type operator-(const iterator& a, const iterator& b) {
    return a.number_ - b.number_;
  }
  // Compares two iterators of one view.
  friend constexpr bool operator==(const iterator& a, const iterator& b) { return a.number_ == b.number_; }
  friend constexpr std::strong_ordering operator<=>(const iterator& a, const iterator& b) {
    return a.number_ <=> b.number_;
  }

 private:
  friend class view;
  constexpr iterator(const view& of, difference_type number) : of_(of) { move_to(number); }
  constexpr difference_type extent(std::size_t axis) const {
    return static_cast<difference_type>(of_.shape_[axis]);
  }
  constexpr void move_to(difference_type number) {
    number_ = number;
    offset_ = 0;
    left_ = 1;
    if (of_.rank_ == 0) return;
    const std::size_t last = of_.rank_ - 1;
    left_ = extent(last);
    if (number == 0) return;  // so that no divisor below is an extent of 0
    left_ -= number % left_;
    for (std::size_t k = last; k > 0; --k) {
      offset_ += number % extent(k) * of_.strides_[k];
      number /= extent(k);
    }
    offset_ += number * of_.strides_[0];
  }

  view of_;
  difference_type number_ = 0, offset_ = 0;
  difference_type left_ = 0;  // elements up to the end of the last axis, this one included
};

namespace detail {
template <std::size_t>
using index = whole_number;
// Not a template, so that a compiler's error says how many indices are expected, and how many were given.
template <class T, class Axes>
struct one_index_for_each_axis;
template <class T, std::size_t... Axis>
struct one_index_for_each_axis<T, std::index_sequence<Axis...>> : view<T> {
  constexpr one_index_for_each_axis(const view<T>& there) : view<T>(there) {}
  constexpr T& operator()(index<Axis>... i) const {
    return this->data_handle()[(std::ptrdiff_t(0) + ... + (i.value * this->stride(Axis)))];
  }
  constexpr T& at(index<Axis>... i) const { return view<T>::at(i.value...); }
};
struct unchecked {};
template <class Number, std::size_t Rank>
constexpr std::array<Number, max_rank> with_room(const std::array<Number, Rank>& of_axes) {
  std::array<Number, max_rank> all{};
  for (std::size_t k = 0; k < Rank; ++k) all[k] = of_axes[k];
  return all;
}
template <class T, int Rank>
using view_of_rank = one_index_for_each_axis<T, std::make_index_sequence<std::size_t(Rank)>>;
}  // namespace detail

template <class T, int Rank>
class view : public detail::view_of_rank<T, Rank> {
  static_assert(Rank >= 0 && Rank <= detail::max_rank, "a view has from 0 to 4 axes");
  using base = detail::view_of_rank<T, Rank>;

 public:
  using shape_type = std::array<std::size_t, std::size_t(Rank)>;
  using type = view;  // clang prints it without the expression that computes Rank

  constexpr view() : base(view<T>(nullptr, std::size_t(Rank), {}, {})) {}
  constexpr view(T* data, std::initializer_list<detail::whole_number> shape,
                 std::initializer_list<detail::whole_number> strides)
      : view(view<T>(data, shape, strides)) {}
  constexpr view(T* data, std::initializer_list<detail::whole_number> shape) : view(view<T>(data, shape)) {}
  // Of a session, which knows its extents: nothing to check.
  constexpr view(detail::unchecked, T* data, const shape_type& shape,
                 const std::array<std::ptrdiff_t, std::size_t(Rank)>& strides)
      : base(view<T>(data, std::size_t(Rank), detail::with_room(shape), detail::with_room(strides))) {}
  // Throws std::invalid_argument if the view has another rank.
  constexpr explicit view(const view<T>& there) : base(there) {
    if (there.rank() != std::size_t(Rank))
      throw std::invalid_argument("a view of rank " + std::to_string(Rank) + " made of one of rank " +
                                  std::to_string(there.rank()));
  }
  template <std::same_as<const T> Const>
  constexpr operator view<Const, Rank>() const {
    return view<Const, Rank>(view<Const>(*this), detail::unchecked{});
  }

  constexpr auto operator[](detail::Index auto i) const requires(Rank > 0) {
    return view<T, Rank - 1>(view<T>::operator[](i), detail::unchecked{});
  }

 private:
  template <class, int>
  friend class view;
  constexpr view(const view<T>& there, detail::unchecked) : base(there) {}
};

}  // namespace tenon::inline v0_1

// Its iterators outlive it, for view::begin() of a temporary: std::ranges::max_element(session[0]).
template <class T, int Rank>
inline constexpr bool std::ranges::enable_borrowed_range<tenon::view<T, Rank>> = true;
