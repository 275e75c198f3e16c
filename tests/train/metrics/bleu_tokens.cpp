// The lower case of capital letters, each against Unicode's table of characters; scores: bleu.cpp.
#include <tenon/train/metrics/bleu_tokens.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

using tenon::detail::in_small_letters;

TEST_CASE("capital letters of Latin and Cyrillic become small, everything else stays") {
  CHECK(in_small_letters("ABCXYZ abc 019 [`{@") == "abcxyz abc 019 [`{@");
  CHECK(in_small_letters("ÀÖØÞ×ß") == "àöøþ×ß");
  CHECK(in_small_letters("ĀāŁłŸŹź") == "āāłłÿźź");
  CHECK(in_small_letters("ЀЯа") == "ѐяа");
  CHECK(in_small_letters("ẞẠỸ") == "ßạỹ");
  CHECK(in_small_letters("中文 ☃") == "中文 ☃");
}
// The letters of Unicode's table that have a small one of their own kind, and beside each that small one.
constexpr std::string_view capitals =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞĀĂĄĆĈ"
    "ĊČĎĐĒĔĖĘĚĜĞĠĢĤĦĨĪĬĮĲĴĶĹĻĽĿŁŃŅŇŊŌŎŐŒŔŖŘŚŜŞŠŢŤŦŨŪŬ"
    "ŮŰŲŴŶŸŹŻŽƠƢƤƯǍǏǑǓǕǗǙǛǞǠǢǤǦǨǪǬǮǸǺǼǾȀȂȄȆȈȊȌȎȐȒȔȖȘȚ"
    "ȜȞȢȤȦȨȪȬȮȰȲЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФ"
    "ХЦЧШЩЪЫЬЭЮЯѠѢѤѦѨѪѬѮѰѲѴѶѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰ"
    "ҲҴҶҸҺҼҾӀӁӃӅӇӉӋӍӐӒӔӖӘӚӜӞӠӢӤӦӨӪӬӮӰӲӴӶӸӺӼӾԀԂԄԆԈԊԌԎԐ"
    "ԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮḀḂḄḆḈḊḌḎḐḒḔḖḘḚḜḞḠḢḤḦḨḪ"
    "ḬḮḰḲḴḶḸḺḼḾṀṂṄṆṈṊṌṎṐṒṔṖṘṚṜṞṠṢṤṦṨṪ"
    "ṬṮṰṲṴṶṸṺṼṾẀẂẄẆẈẊẌẎẐẒẔẞẠẢẤẦẨẪẬẮẰẲ"
    "ẴẶẸẺẼẾỀỂỄỆỈỊỌỎỐỒỔỖỘỚỜỞỠỢỤỦỨỪỬỮỰỲ"
    "ỴỶỸỺỼỾ";
constexpr std::string_view smalls =
    "abcdefghijklmnopqrstuvwxyzàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþāăąćĉ"
    "ċčďđēĕėęěĝğġģĥħĩīĭįĳĵķĺļľŀłńņňŋōŏőœŕŗřśŝşšţťŧũūŭ"
    "ůűųŵŷÿźżžơƣƥưǎǐǒǔǖǘǚǜǟǡǣǥǧǩǫǭǯǹǻǽǿȁȃȅȇȉȋȍȏȑȓȕȗșț"
    "ȝȟȣȥȧȩȫȭȯȱȳѐёђѓєѕіїјљњћќѝўџабвгдежзийклмнопрстуф"
    "хцчшщъыьэюяѡѣѥѧѩѫѭѯѱѳѵѷѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұ"
    "ҳҵҷҹһҽҿӏӂӄӆӈӊӌӎӑӓӕӗәӛӝӟӡӣӥӧөӫӭӯӱӳӵӷӹӻӽӿԁԃԅԇԉԋԍԏԑ"
    "ԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯḁḃḅḇḉḋḍḏḑḓḕḗḙḛḝḟḡḣḥḧḩḫ"
    "ḭḯḱḳḵḷḹḻḽḿṁṃṅṇṉṋṍṏṑṓṕṗṙṛṝṟṡṣṥṧṩṫ"
    "ṭṯṱṳṵṷṹṻṽṿẁẃẅẇẉẋẍẏẑẓẕßạảấầẩẫậắằẳ"
    "ẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳ"
    "ỵỷỹỻỽỿ";

// The code points of a text, decoded by the definition of UTF-8.
std::vector<unsigned> code_points(std::string_view text) {
  std::vector<unsigned> all;
  for (const char c : text) {
    const unsigned byte = static_cast<unsigned char>(c);
    if (byte < 0x80) all.push_back(byte);
    else if (byte >= 0xE0) all.push_back(byte & 0x0F);
    else if (byte >= 0xC0) all.push_back(byte & 0x1F);
    else all.back() = all.back() << 6 | (byte & 0x3F);
  }
  return all;
}
TEST_CASE("each capital letter of the scripts has its small one, and no other character changes") {
  const std::vector<unsigned> from = code_points(capitals), to = code_points(smalls);
  REQUIRE(from.size() == to.size());
  std::vector<unsigned> expected(0x10000);
  std::iota(expected.begin(), expected.end(), 0u);
  for (std::size_t k = 0; k < from.size(); ++k) expected[from[k]] = to[k];
  for (unsigned c = 0; c < expected.size(); ++c) {
    CAPTURE(c);
    REQUIRE(tenon::detail::small_letter(c) == expected[c]);
  }
  CHECK(in_small_letters(capitals) == smalls);
}
TEST_CASE("a code point is as many bytes as UTF-8 has for it, and is read back") {
  const auto bytes = [](unsigned c) {
    std::string text;
    tenon::detail::append_code_point(text, c);
    return text;
  };
  CHECK(bytes(0x7F) == "\x7F");
  CHECK(bytes(0x80) == "\xC2\x80");
  CHECK(bytes(0x7FF) == "\xDF\xBF");
  CHECK(bytes(0x800) == "\xE0\xA0\x80");
  CHECK(bytes(0xFFFF) == "\xEF\xBF\xBF");
  for (unsigned c = 0; c < 0x10000; ++c) {
    const std::string text = bytes(c);
    CAPTURE(c);
    REQUIRE(text.size() == (c < 0x80 ? 1 : c < 0x800 ? 2 : 3));
    REQUIRE(tenon::detail::code_point(text, text.size()) == c);
  }
}
TEST_CASE("the Turkish I with a dot is an i and a dot") {
  CHECK(in_small_letters("\xC4\xB0") == "i\xCC\x87");
}
TEST_CASE("bytes that are no character stay") { CHECK(in_small_letters("\xFF\xC3") == "\xFF\xC3"); }
