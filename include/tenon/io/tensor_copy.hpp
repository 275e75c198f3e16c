// io::tensor_copy: a named tensor that is written to a file, with a copy of the numbers of a view or another tensor
// expression, in C order whatever its strides.
#pragma once

#include "tenon/tensor/expression.hpp"
#include "tenon/tensor/named_tensor.hpp"
#include "tenon/tensor/view.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tenon::inline v0_1 {

namespace detail {

// The elements of any tensor expression (an xtensor array or a lazy expression, a view of Tenon's) in C order.
template <class E>
struct evaluated {
  using element = std::remove_cv_t<typename E::value_type>;
  std::vector<std::conditional_t<std::same_as<element, bool>, std::uint8_t, element>> numbers;
  io::named_tensor tensor;

  evaluated(std::string name, const E& e)
      : numbers(e.begin(), e.end()), tensor{std::move(name), io::dtype_of<element>} {
    for (std::size_t k = 0; k < e.dimension(); ++k)
      tensor.shape.push_back(static_cast<std::size_t>(e.shape()[k]));
    tensor.data = numbers.data();
  }
};

}  // namespace detail

namespace io {

// The elements of any tensor expression of bool, integers, float or double: a view of Tenon's, an xtensor array or a lazy
// expression.
class tensor_copy {
 public:
  template <concepts::TensorExpression E>
  tensor_copy(std::string name, const E& array) {
    const auto numbers = std::make_shared<const detail::evaluated<E>>(std::move(name), array);
    tensor_ = numbers->tensor;
    numbers_ = numbers;
  }
  const named_tensor& tensor() const { return tensor_; }

 private:
  named_tensor tensor_;
  std::shared_ptr<const void> numbers_;
};

}  // namespace io

}  // namespace tenon::inline v0_1
