// TENON_INSTRUCTION_SET: an octal digit for each three of the compiler's macros, and which names are in the namespace of that name.
#include <tenon/backend/cpu/tag.hpp>
#include <tenon/backend/instruction_set.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/train/optimizers/clip.hpp>

#include <doctest/doctest.h>

#include <string>
#include <typeinfo>

#define TEST_ONE 1
#define TEST_TWO 2
#define TEST_EMPTY
#define TEST_TEXT(...) TEST_TEXT_OF(__VA_ARGS__)
#define TEST_TEXT_OF(...) #__VA_ARGS__

namespace {

// Whether a few of them are defined, and the place of each in the name.
struct place {
  std::size_t digit;
  int bit;
  bool is_there;
};
constexpr place places[] {
#if defined(__SSE2__)
  {0, 4, true},
#else
  {0, 4, false},
#endif
#if defined(__AVX2__)
      {2, 2, true},
#else
      {2, 2, false},
#endif
#if defined(__FMA__)
      {2, 1, true},
#else
      {2, 1, false},
#endif
#if defined(__AVX512F__)
      {4, 1, true},
#else
      {4, 1, false},
#endif
#if defined(__FAST_MATH__)
      {11, 2, true},
#else
      {11, 2, false},
#endif
#if defined(__RECIPROCAL_MATH__)
      {12, 2, true},
#else
      {12, 2, false},
#endif
#if defined(TENON_PORTABLE)
      {13, 2, true},
#else
      {13, 2, false},
#endif
};

using model = tenon::graph<"model", tenon::input<"x", tenon::features<2>>,
                           tenon::node<"y", tenon::nn::linear<1>, "x">, tenon::output<"y">>;

}  // namespace

TEST_CASE("a digit has a bit for each macro that is 1, the first one the highest") {
  CHECK(std::string(TEST_TEXT(TENON_DIGIT(TEST_ONE, TEST_NONE, TEST_NONE))) == "4");
  CHECK(std::string(TEST_TEXT(TENON_DIGIT(TEST_NONE, TEST_ONE, TEST_NONE))) == "2");
  CHECK(std::string(TEST_TEXT(TENON_DIGIT(TEST_NONE, TEST_NONE, TEST_ONE))) == "1");
  CHECK(std::string(TEST_TEXT(TENON_DIGIT(TEST_ONE, TEST_ONE, TEST_ONE))) == "7");
  CHECK(std::string(TEST_TEXT(TENON_DIGIT(TEST_NONE, TEST_NONE, TEST_NONE))) == "0");
  CHECK(std::string(TEST_TEXT(TENON_DIGIT(TEST_TWO, TEST_EMPTY, TEST_ONE))) == "1");
}

TEST_CASE("the name has what the compiler may use") {
  const std::string name = TEST_TEXT(TENON_INSTRUCTION_SET);
  REQUIRE(name.size() == 18);
  CHECK(name.substr(0, 4) == "isa_");
  CHECK(name.find_first_not_of("01234567", 4) == std::string::npos);
  for (const place& p : places) {
    CAPTURE(p.digit);
    CAPTURE(p.bit);
    CHECK((((name[4 + p.digit] - '0') & p.bit) != 0) == p.is_there);
  }
}

// The linker distinguishes functions only by their names.
TEST_CASE("what depends on the instruction set has it in its name") {
  const std::string name = TEST_TEXT(TENON_INSTRUCTION_SET);
  const auto has_name = [&](const std::type_info& type) {
    return std::string(type.name()).find(name) != std::string::npos;
  };
  CHECK(has_name(typeid(tenon::backend::reference)));
  CHECK(has_name(typeid(tenon::backend::cpu)));
  CHECK_FALSE(has_name(typeid(tenon::parameters<model>)));
}
