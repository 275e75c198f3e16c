// Wrong calls, counted: each must throw the exception of its kind, name the thing and what was wrong, and change nothing.
#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <exception>
#include <functional>
#include <initializer_list>
#include <set>
#include <string>
#include <typeinfo>
#include <utility>

namespace tenon::test {

// The bytes of numbers, to compare them bit by bit.
template <class T>
std::string bits_of(const T* numbers, std::size_t count) {
  return {reinterpret_cast<const char*>(numbers), count * sizeof(T)};
}
template <class Parameters>
std::string bits_of(const Parameters& theta) {
  return bits_of(theta.data(), Parameters::block_size);
}

// Of all test cases of a program.
inline std::set<std::string>& distinct_refusals() {
  static std::set<std::string> all;
  return all;
}

class refusals {
 public:
  // `state` is all that a wrong call might change, and what a right call gives.
  explicit refusals(std::function<std::string()> state = [] { return std::string(); })
      : state_(std::move(state)), before_(state_()) {}

  template <class Error>
  void expect(std::initializer_list<std::string> named, const std::function<void()>& call) {
    std::string said;
    bool is_right = false;
    try {
      call();
      said = "(nothing was thrown)";
    } catch (const Error& error) {
      said = error.what();
      is_right = typeid(error) == typeid(Error);
    } catch (const std::exception& error) { said = std::string("(another exception) ") + error.what(); }
    std::string all;
    for (const std::string& part : named) {
      is_right = is_right && said.find(part) != std::string::npos;
      all += part + " | ";
    }
    INFO("expected ", all, " got ", said);
    CHECK(is_right);
    CHECK(state_() == before_);
    if (is_right) distinct_refusals().insert(said);
  }

 private:
  std::function<std::string()> state_;
  std::string before_;
};

}  // namespace tenon::test
