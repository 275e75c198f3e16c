// shared_value, owned_value and function_ref: values and a call whose types are erased. std::function, std::any and virtual functions put the name of
// each erased type into the program, and the name of a type with a graph has a kilobyte and more. These do not.
#pragma once

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

namespace tenon::inline v0_1::engine {

// A value of any type: copies share it, the last one destroys it. The reader must know its type.
class shared_value {
 public:
  shared_value() = default;
  template <class T>
  requires(!std::same_as<T, shared_value>) explicit shared_value(T value)
      : held_(static_cast<void*>(new T(std::move(value))), &destroy<T>) {}

  explicit operator bool() const { return static_cast<bool>(held_); }
  template <class T>
  T& as() const {
    return *static_cast<T*>(held_.get());
  }

 private:
  template <class T>
  static void destroy(void* at) {
    delete static_cast<T*>(at);
  }
  std::shared_ptr<void> held_;
};

// A value of any type, copied with its owner. Without a value it is a constant. The reader must know its type.
class owned_value {
 public:
  constexpr owned_value() = default;
  template <class T>
  requires(!std::same_as<T, owned_value>) explicit owned_value(T value)
      : held_(new T(std::move(value))), copy_(&copy<T>), destroy_(&destroy<T>) {}
  constexpr owned_value(const owned_value& other)
      : held_(other.held_ ? other.copy_(other.held_) : nullptr),
        copy_(other.copy_),
        destroy_(other.destroy_) {}
  constexpr owned_value(owned_value&& other) noexcept
      : held_(std::exchange(other.held_, nullptr)), copy_(other.copy_), destroy_(other.destroy_) {}
  constexpr owned_value& operator=(owned_value other) noexcept {
    std::swap(held_, other.held_);
    std::swap(copy_, other.copy_);
    std::swap(destroy_, other.destroy_);
    return *this;
  }
  constexpr ~owned_value() {
    if (held_) destroy_(held_);
  }

  template <class T>
  T& as() const {
    return *static_cast<T*>(held_);
  }

 private:
  template <class T>
  static void* copy(const void* from) {
    return new T(*static_cast<const T*>(from));
  }
  template <class T>
  static void destroy(void* at) {
    delete static_cast<T*>(at);
  }
  void* held_ = nullptr;
  void* (*copy_)(const void*) = nullptr;
  void (*destroy_)(void*) = nullptr;
};

// Calls an object, which must outlive it. A parameter type of functions that are compiled once.
template <class Signature>
class function_ref;
template <class Result, class... Arguments>
class function_ref<Result(Arguments...)> {
 public:
  template <class F>
  requires(!std::same_as<std::remove_cvref_t<F>, function_ref> &&
           std::is_object_v<std::remove_reference_t<F>> && std::is_invocable_r_v<Result, F&, Arguments...>)
      function_ref(F&& f)
      : at_(const_cast<void*>(static_cast<const void*>(&f))), call_([](void* at, Arguments... arguments) {
          return static_cast<Result>(
              (*static_cast<std::remove_reference_t<F>*>(at))(std::forward<Arguments>(arguments)...));
        }) {}

  Result operator()(Arguments... arguments) const {
    return call_(at_, std::forward<Arguments>(arguments)...);
  }

 private:
  void* at_;
  Result (*call_)(void*, Arguments...);
};

// An empty std::function, or a null pointer to a function: nothing to call.
template <class F>
constexpr bool is_empty_function([[maybe_unused]] const F& f) {
  if constexpr (std::is_pointer_v<F>) return f == nullptr;
  else if constexpr (requires {
                       typename F::result_type;
                       f.operator bool();
                     })
    return !f.operator bool();
  else return false;
}

}  // namespace tenon::inline v0_1::engine
