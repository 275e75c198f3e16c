// A value and a call whose types are erased.
#include "tenon/meta/erased.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using tenon::engine::function_ref, tenon::engine::owned_value, tenon::engine::shared_value;

struct counted {
  int* alive;
  explicit counted(int& n) : alive(&n) { ++n; }
  counted(const counted& other) : alive(other.alive) { ++*alive; }
  ~counted() { --*alive; }
};

TEST_CASE("copies share a value, and the last one destroys it") {
  int alive = 0;
  {
    shared_value first{counted(alive)};
    CHECK(alive == 1);
    {
      const shared_value second = first;
      CHECK(alive == 1);
      CHECK(&second.as<counted>() == &first.as<counted>());
      first = shared_value();
      CHECK(!first);
      CHECK(alive == 1);
    }
    CHECK(alive == 0);
  }
  shared_value text{std::string("a")};
  const shared_value same = text;
  text.as<std::string>() += "b";
  CHECK(same.as<std::string>() == "ab");
}

TEST_CASE("a value may be one that is only moved") {
  const shared_value held{std::make_unique<int>(7)};
  CHECK(*held.as<std::unique_ptr<int>>() == 7);
}

TEST_CASE("an owned value is copied with its owner, and destroyed with it") {
  constexpr owned_value none;
  const auto counted = std::make_shared<int>(0);
  {
    const owned_value one{std::pair(counted, 1)};
    owned_value other = one;
    other.as<std::pair<std::shared_ptr<int>, int>>().second = 2;
    CHECK(one.as<std::pair<std::shared_ptr<int>, int>>().second == 1);
    CHECK(counted.use_count() == 3);
    owned_value third = std::move(other);
    CHECK(third.as<std::pair<std::shared_ptr<int>, int>>().second == 2);
    third = one;
    CHECK(third.as<std::pair<std::shared_ptr<int>, int>>().second == 1);
    CHECK(counted.use_count() == 3);
    third = none;
    CHECK(counted.use_count() == 2);
  }
  CHECK(counted.use_count() == 1);
}

TEST_CASE("a call reaches the function that it was made of, with its state") {
  int sum = 0;
  auto add = [&sum](int x) { return sum += x; };
  const function_ref<int(int)> call = add;
  CHECK(call(3) == 3);
  function_ref<int(int)> again = call;
  const function_ref<int(int)> copy = again;  // refers to the called function, not to `again`
  auto other = [](int) { return -1; };
  again = function_ref<int(int)>(other);
  CHECK(copy(4) == 7);
  CHECK(sum == 7);
  const auto constant = [](int x) { return x + 1; };
  CHECK(function_ref<int(int)>(constant)(1) == 2);
  auto counts = [k = 0]() mutable { return ++k; };
  const function_ref<void()> dropped = counts;  // its result is ignored
  dropped();
  dropped();
  CHECK(counts() == 3);
}

TEST_CASE("arguments arrive as they are given: by reference, and moved") {
  auto push = [](std::vector<int>& to, std::unique_ptr<int> one) { to.push_back(*one); };
  const function_ref<void(std::vector<int>&, std::unique_ptr<int>)> call = push;
  std::vector<int> all;
  call(all, std::make_unique<int>(5));
  CHECK(all == std::vector<int>{5});
}

static_assert(!std::is_constructible_v<function_ref<int(int)>, std::string&>);
static_assert(!std::is_constructible_v<function_ref<std::string(int)>, int (*&)(int)>);
static_assert(!std::is_constructible_v<function_ref<int(int)>,
                                       int (&)(int)>);  // a function is no object; a pointer to one is
static_assert(std::is_constructible_v<function_ref<int(int)>, int (*&)(int)>);
static_assert(std::is_trivially_copyable_v<function_ref<int(int)>>);

}  // namespace
