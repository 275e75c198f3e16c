// device_inputs: inputs that a user gives as a device_view, in the memory of a device. They are checked there and
// copied to where the kernels read them, without passing through the program's memory.
#pragma once

#include "tenon/backend/given.hpp"
#include "tenon/backend/memory.hpp"
#include "tenon/engine/inputs/input_checks.hpp"
#include "tenon/engine/run/executor.hpp"
#include "tenon/tensor/device_view.hpp"

#include <array>
#include <cstddef>
#include <type_traits>

namespace tenon::inline v0_1::engine {

// Which inputs were given on the device; none if the kernels read the program's memory.
template <class Plan>
struct device_inputs {
  template <int E>
  static constexpr void given_by_program() {}
};
template <class Plan>
requires backend::HasOwnMemory<typename Plan::backend>
struct device_inputs<Plan> {
  typename Plan::scalar* workspace = nullptr;  // in which the kernels read numbers
  int* tokens[Plan::net.edges.size + 1]{};     // by input
  int* lengths = nullptr;                      // room for those of one input
  backend::last_stream<typename Plan::backend>* stream = nullptr;
  bool is_there[Plan::net.edges.size + 1]{};  // the input was set on the device last

  template <int E>
  void given_by_program() {
    is_there[E] = false;
  }
  bool any_tokens() const {
    for (int e : Plan::net.inputs)
      if (is_there[e] && Plan::net.edges[e].is_token()) return true;
    return false;
  }
};

template <class X>
inline constexpr bool is_device_tensor = false;

// Such an input in the form of a tensor: it has a shape, and `check` and `take` instead of access to elements.
template <class Plan, int E, class N>
class device_tensor {
  using T = typename Plan::scalar;
  using backend_tag = typename Plan::backend;
  using checks = input_checks<Plan>;
  static constexpr edge input = Plan::net.edges[E];

 public:
  device_tensor(const backend::device_view<const N>& tensor, device_inputs<Plan>& to)
      : given_(tensor), to_(to) {
    if constexpr (requires { is_own_memory(backend_tag{}, tensor.data_handle()); })
      if (tensor.size() > 0 && !is_own_memory(backend_tag{}, tensor.data_handle()))
        checks::template fail<E>("the pointer that is given on the device is none of the device's memory");
    if (tensor.size() > tensor.available())
      checks::template fail<E>("its shape has ", tensor.size(), " numbers, and the vector has ",
                               tensor.available());
  }
  // [batch, height, width, ..] as [batch, places, ..].
  device_tensor as_line() const {
    device_tensor line(*this);
    line.is_line_ = true;
    return line;
  }
  std::size_t dimension() const { return given_.rank() - (is_line_ ? 1 : 0); }
  std::array<std::size_t, 4> shape() const {
    std::array<std::size_t, 4> all{};
    for (std::size_t k = 0; k < dimension(); ++k) all[k] = given_.extent(is_line_ && k > 1 ? k + 1 : k);
    if (is_line_) all[1] = given_.extent(1) * given_.extent(2);
    return all;
  }

  // Checks the tokens in n rows of `steps` steps. `lengths`: those of the rows, or nullptr.
  void check(int n, int steps, bool time_first, const int* lengths) const {
    to_.stream->join();
    if (lengths != nullptr) copy_in(backend_tag{}, lengths, to_.lengths, sizeof(int) * std::size_t(n));
    if constexpr (input.is_token()) {
      const auto from = source(time_first);
      const std::ptrdiff_t all = std::ptrdiff_t(n) * steps,
                           first = first_outside(backend_tag{}, n, steps,
                                                 lengths != nullptr ? to_.lengths : nullptr, input.range,
                                                 checks::may_be_left_out(E), from);
      if (first < all) {
        const int r = static_cast<int>(first / steps), t = static_cast<int>(first % steps);
        N token{};
        copy_out(backend_tag{}, from.data + from.place(r, t, 0), &token, sizeof token);
        checks::template check_token<E>(token, r, t);  // throws
      }
    }
  }
  // Copies the input. Call check first.
  void take(int n, int steps, bool time_first, bool with_lengths) const {
    constexpr int layers = int(Plan::rows(E) / Plan::batch);
    const int* const lengths = with_lengths ? to_.lengths : nullptr;
    if constexpr (input.is_token()) {
      take_rows<1>(backend_tag{}, n, Plan::batch, steps, layers, lengths, -1, source(time_first),
                   backend::operand<int>{to_.tokens[E], 1, Plan::batch});
    } else {
      const operand<T> place = executor<Plan>::value(E, to_.workspace);
      take_rows<input.size>(backend_tag{}, n, Plan::batch, steps, layers, lengths, T(0), source(time_first),
                            backend::operand<T>{place.data, place.row, place.step});
    }
    to_.is_there[E] = true;
  }

 private:
  backend::given_rows<N> source(bool time_first) const {
    const auto stride = [&](int axis) { return given_.stride(axis); };
    const int last = static_cast<int>(given_.rank()) - 1;
    backend::given_rows<N> from{given_.data_handle(), 0, 0, input.is_token() ? 1 : stride(last)};
    if constexpr (input.is_grid()) {
      from.row = stride(0);
      from.line = stride(1);
      from.step = stride(2);
      from.width = static_cast<int>(given_.extent(2));
    } else if constexpr (input.axis >= 0 || input.layers > 1) {
      const bool step_first = time_first || input.layers > 1;
      from.row = stride(step_first ? 1 : 0);
      from.step = stride(step_first ? 0 : 1);
    } else {
      from.row = stride(0);
    }
    return from;
  }

  backend::device_view<const N> given_;
  device_inputs<Plan>& to_;
  bool is_line_ = false;
};
template <class Plan, int E, class N>
inline constexpr bool is_device_tensor<device_tensor<Plan, E, N>> = true;

// The value given to input E: unchanged, or as such a tensor if it is in the backend's memory. A flat vector is rows.
template <class Plan, int E, class X>
decltype(auto) as_given(const X& x, [[maybe_unused]] device_inputs<Plan>& device) {
  if constexpr (is_device_view<X>) {
    using N = std::remove_const_t<typename X::value_type>;
    return device_tensor<Plan, E, N>(x, device);
  } else if constexpr (DeviceVector<const X>) {
    constexpr edge e = Plan::net.edges[E];
    constexpr int places = e.is_grid() ? e.grid.places() : 1, size = places * (e.is_token() ? 1 : e.size);
    using N = std::remove_cv_t<std::remove_pointer_t<decltype(x.data().get())>>;
    const std::size_t rows = x.size() / size;
    if (x.size() % size != 0)
      input_checks<Plan>::template fail<E>("expected a multiple of ", size, " numbers, got ", x.size());
    view<const N> rows_of_it(x.data().get(), {rows, e.size});
    if constexpr (e.is_grid())
      rows_of_it = view<const N>(x.data().get(), {rows, e.grid.height, e.grid.width, e.size});
    else if constexpr (e.is_token()) rows_of_it = view<const N>(x.data().get(), {rows});
    return device_tensor<Plan, E, N>(backend::device_view<const N>(rows_of_it), device);
  } else {
    return (x);
  }
}

}  // namespace tenon::inline v0_1::engine
