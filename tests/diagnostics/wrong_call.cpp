// Calls that match no overload are refused by an overload with a message, which right calls never reach. What a compiler prints is
// in must_not_compile/fit_epoch and trainer_lr.
#include <tenon/diagnostics/wrong_call.hpp>

#include <doctest/doctest.h>

#include <type_traits>

namespace {

struct numbers {
  double rate = 1;
};
struct machine {};

#define SENTENCE "work takes a machine and numbers by their names: .rate"
constexpr int work(const machine&, const numbers& n = {}) { return n.rate == 1 ? 1 : 2; }
template <class Machine TENON_AND_SAYS(SENTENCE)>
constexpr int work(const volatile Machine&, ...) TENON_REFUSED(SENTENCE);

struct worker {
  double rate;
  constexpr explicit worker(const machine&, numbers n = {}) : rate(n.rate) {}
  TENON_SAYS(SENTENCE) worker(const volatile machine&, ...) TENON_DELETED(SENTENCE);
};
#undef SENTENCE

#define SENTENCE "values in braces have no type"
struct session {
  constexpr int operator()() const { return 0; }
  template <class Value>
  constexpr int operator()(const Value&) const {
    return 1;
  }
  TENON_CALL(SENTENCE, int)
  operator()(tenon::detail::in_braces, ...) const TENON_SAID(SENTENCE);
  template <class First>
  TENON_CALL(SENTENCE, int)
  operator()(const volatile First&, tenon::detail::in_braces, ...) const TENON_SAID(SENTENCE);
};
#undef SENTENCE

#define SENTENCE "one of these is enough"
struct only_one {
  only_one() = default;
  only_one(const only_one& TENON_COPY(SENTENCE)) TENON_DELETED(SENTENCE);
  TENON_CALL(SENTENCE, only_one&)
  operator=(const only_one&) TENON_DELETED(SENTENCE);
};
#undef SENTENCE
static_assert(std::is_default_constructible_v<only_one> && !std::is_move_constructible_v<only_one> &&
              !std::is_copy_constructible_v<only_one> && !std::is_copy_assignable_v<only_one>);

// Depends on a template parameter, so that a wrong call is false instead of an error.
template <class M>
concept works_at_a_rate = requires(M m) {
  work(m, {.rate = 2});
  worker(m, {.rate = 2});
};
template <class M>
concept works_at_a_speed = requires(M m) {
  work(m, {.speed = 2});
};
template <class M>
concept starts_at_a_speed = requires(M m) {
  worker(m, {.speed = 2});
};
template <class M>
concept works_with_text = requires(M m) {
  work(m, "fast");
};

template <class S>
concept takes_braces = requires(S s) {
  s({1, 2});
};
template <class S>
concept takes_nested_braces = requires(S s) {
  s({{1, 2}, {"three"}});
};
template <class S>
concept takes_empty_braces = requires(S s) {
  s({});
};
template <class S>
concept takes_braces_behind_a_value = requires(S s) {
  s(s, {1, 2});
};
template <class S>
concept takes_values = requires(S s) {
  s();
  s(1);
  s(s);
  s("one");
};

}  // namespace

TEST_CASE("right calls find the function, wrong ones are false in a requires") {
  const machine m;
  CHECK(work(m) == 1);
  CHECK(work(m, {.rate = 3}) == 2);
  CHECK(work(machine{}, {}) == 1);
  CHECK(worker(m, {.rate = 3}).rate == 3);
  CHECK(works_at_a_rate<machine>);
  CHECK(works_at_a_rate<const machine>);
  CHECK_FALSE(works_at_a_speed<machine>);
  CHECK_FALSE(starts_at_a_speed<machine>);
  CHECK_FALSE(works_with_text<machine>);
}
TEST_CASE("braces in a call of a template are refused, and nothing else") {
  CHECK(session()() == 0);
  CHECK(session()("one") == 1);
  CHECK(takes_values<session>);
  CHECK_FALSE(takes_braces<session>);
  CHECK_FALSE(takes_nested_braces<session>);
  CHECK_FALSE(takes_empty_braces<session>);
  CHECK_FALSE(takes_braces_behind_a_value<session>);
}
