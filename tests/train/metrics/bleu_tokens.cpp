// The lower case of capital letters, each against Unicode's table of characters; scores: bleu.cpp.
#include <tenon/train/metrics/bleu_tokens.hpp>

#include <doctest/doctest.h>

using tenon::detail::in_small_letters;

TEST_CASE("capital letters of Latin and Cyrillic become small, everything else stays") {
  CHECK(in_small_letters("ABCXYZ abc 019 [`{@") == "abcxyz abc 019 [`{@");
  CHECK(in_small_letters("ÀÖØÞ×ß") == "àöøþ×ß");
  CHECK(in_small_letters("ĀāŁłŸŹź") == "āāłłÿźź");
  CHECK(in_small_letters("ЀЯа") == "ѐяа");
  CHECK(in_small_letters("ẞẠỸ") == "ßạỹ");
  CHECK(in_small_letters("中文 ☃") == "中文 ☃");
}
TEST_CASE("the Turkish I with a dot is an i and a dot") {
  CHECK(in_small_letters("\xC4\xB0") == "i\xCC\x87");
}
TEST_CASE("bytes that are no character stay") { CHECK(in_small_letters("\xFF\xC3") == "\xFF\xC3"); }
