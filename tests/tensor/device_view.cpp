// A tensor in the memory of a device: its shape and strides are accessible here, its elements are not.
#include "tenon/tensor/device_view.hpp"

#include "tenon/tensor/expression.hpp"
#include "tenon/tensor/range.hpp"

#include <doctest/doctest.h>

#include <concepts>
#include <vector>

namespace {

// The part of a thrust::device_vector that on_device needs.
template <class T>
struct pointer_there {
  T* at;
  T* get() const { return at; }
};
struct vector_there {
  std::vector<float> numbers;
  pointer_there<float> data() { return {numbers.data()}; }
  pointer_there<const float> data() const { return {numbers.data()}; }
  std::size_t size() const { return numbers.size(); }
};

}  // namespace

using namespace tenon;

// Functions that read tensors or ranges do not accept it.
static_assert(!concepts::TensorExpression<backend::device_view<const float>>);
static_assert(!tenon::detail::SizedRange<backend::device_view<const float>>);
static_assert(!std::convertible_to<backend::device_view<float>, view<float>>);
static_assert(std::convertible_to<backend::device_view<float>, backend::device_view<const float>>);
static_assert(!std::convertible_to<backend::device_view<const float>, backend::device_view<float>>);
static_assert(engine::OnDevice<vector_there> && engine::OnDevice<backend::device_view<int>>);
static_assert(!engine::OnDevice<std::vector<float>> && !engine::OnDevice<view<float>>);

TEST_CASE("a pointer, a pointer's class and a vector have a shape") {
  float numbers[24]{};
  const auto of_pointer = backend::on_device(numbers, {2, 3, 4});
  CHECK((of_pointer.rank() == 3 && of_pointer.size() == 24 && of_pointer.is_contiguous()));
  CHECK((of_pointer.extent(0) == 2 && of_pointer.extent(2) == 4 && of_pointer.stride(0) == 12));
  CHECK(of_pointer.available() == backend::device_view<float>::unknown);
  CHECK(backend::on_device(pointer_there<float>{numbers}, {24}).data() == numbers);

  vector_there vector{std::vector<float>(6)};
  const backend::device_view<float> of_vector = backend::on_device(vector, {3, 2});
  CHECK((of_vector.data() == vector.numbers.data() && of_vector.available() == 6));
  const vector_there& fixed = vector;
  const backend::device_view<const float> read =
      backend::on_device(fixed, {6, 2});  // more elements than exist: a session reports it
  CHECK((read.size() == 12 && read.available() == 6));
  const backend::device_view<const float> same = of_vector;
  CHECK((same.available() == 6 && same.extent(1) == 2));
}
TEST_CASE("strides of a part") {
  float numbers[40]{};
  const backend::device_view<float> part(view<float>(numbers, {4, 3}, {10, 2}));
  CHECK((part.size() == 12 && part.stride(1) == 2 && !part.is_contiguous()));
  CHECK((backend::device_view<int>().size() == 0 && backend::device_view<int>().data() == nullptr));
}
