// device_view<T>: a borrowed tensor in the memory of a device: a pointer, a shape and strides. The program cannot read
// its elements, so it has none of a view's element functions. A session whose backend has that memory accepts it as an
// input, and returns an output as one.
#pragma once

#include "tenon/tensor/view.hpp"

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <type_traits>

namespace tenon::inline v0_1 {

namespace backend {
template <class T>
class device_view {
 public:
  using value_type = T;
  static constexpr std::size_t unknown = std::numeric_limits<std::size_t>::max();

  device_view() = default;
  // `available`: how many elements there are, if that is known.
  explicit device_view(const view<T>& there, std::size_t available = unknown)
      : there_(there), available_(available) {}
  template <std::same_as<const T> Const>
  operator device_view<Const>() const {
    return device_view<Const>(there_, available_);
  }

  T* data() const { return there_.data(); }  // in the device's memory; throws for strides, as that of a view
  T* data_handle() const { return there_.data_handle(); }
  std::size_t rank() const { return there_.dimension(); }
  std::size_t extent(tenon::detail::Index auto axis) const { return there_.shape(axis); }
  std::ptrdiff_t stride(tenon::detail::Index auto axis) const { return there_.stride(axis); }
  std::size_t size() const { return there_.size(); }
  bool is_contiguous() const { return there_.is_contiguous(); }
  std::size_t available() const { return available_; }

 private:
  view<T> there_;
  std::size_t available_ = unknown;
};
}  // namespace backend

namespace engine {
// A thrust::device_vector, or a similar flat range whose pointer does not point into the program's memory.
template <class V>
concept DeviceVector = requires(V& v) {
  *v.data().get();
  v.size();
};
template <class X>
inline constexpr bool is_device_view = false;
template <class N>
inline constexpr bool is_device_view<backend::device_view<N>> = true;
// A tensor or range in the memory of a device.
template <class X>
concept OnDevice = is_device_view<X> || DeviceVector<const X>;
}  // namespace engine

namespace backend {

// Numbers of a device, in C order without gaps, as a tensor of this shape. They are given as a pointer into its memory,
// a thrust::device_ptr, or a thrust::device_vector: on_device(tokens, {32, 10}).
template <class T>
device_view<T> on_device(T* first, std::initializer_list<tenon::detail::whole_number> shape) {
  return device_view<T>(view<T>(first, shape));
}
template <class P>
requires(!std::is_pointer_v<P> && requires(const P& p) { *p.get(); })  //
    auto on_device(const P& first, std::initializer_list<tenon::detail::whole_number> shape) {
  return on_device(first.get(), shape);
}
template <engine::DeviceVector V>
auto on_device(V& vector, std::initializer_list<tenon::detail::whole_number> shape) {
  using T = std::remove_pointer_t<decltype(vector.data().get())>;
  return device_view<T>(view<T>(vector.data().get(), shape), vector.size());
}
// Errors: a temporary vector frees its memory at the end of the line; a vector of the program is not a device's.
template <class V>
requires(requires(V& v) {
  v.data();
  v.size();
}) void on_device(V&&, std::initializer_list<tenon::detail::whole_number>) {
  constexpr bool is_of_a_device = engine::DeviceVector<std::remove_reference_t<V>>;
  static_assert(is_of_a_device,
                "backend::on_device takes memory of a device: a thrust::device_vector, or a pointer into it; "
                "what is in the "
                "program's memory is given as it is");
  static_assert(!is_of_a_device,
                "backend::on_device: this vector ends with the line, and its memory with it; give it a name");
}

}  // namespace backend

}  // namespace tenon::inline v0_1
