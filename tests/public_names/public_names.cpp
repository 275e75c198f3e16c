// docs/reference/names.md lists exactly the public names. And the comparison finds names missing on either side.
#include "public_names/public_names.hpp"

#include "consumers/names.hpp"

#include <doctest/doctest.h>

using declarations::declarations_of;
using names = std::set<std::string>;

namespace {

const declarations::names& of_the_library() {
  static const declarations::names all = public_names::declared_below(TENON_SOURCE_DIR "/include/tenon");
  return all;
}
std::string the_page() { return public_names::text_of(TENON_SOURCE_DIR "/docs/reference/names.md"); }

}  // namespace

TEST_CASE("the page has every public name") {
  REQUIRE(public_names::of_users(of_the_library()).size() > 100);
  for (const std::string& difference : public_names::differences(of_the_library(), the_page()))
    FAIL_CHECK(difference);
}

TEST_CASE("the page says how many names each namespace has") {
  CHECK(public_names::counts_said(the_page()) == public_names::counts_listed(the_page()));
  const std::string page =
      "| `tenon::` | 2 | a |\n| `tenon::io` | 1 | b |\n| `tenon::ir`, `engine` | | c |\n\n## L\n"
      "| `node` | |\n| `view` | |\n| `io::read_npy` | |\n";
  const std::map<std::string, int> counts{{"", 2}, {"io", 1}};
  CHECK(public_names::counts_said(page) == counts);
  CHECK(public_names::counts_listed(page) == counts);
}

TEST_CASE("each name is on the page to which its section leads") {
  for (const std::string& name : public_names::unexplained(the_page(), [](const std::string& page) {
         return public_names::text_of(std::string(TENON_SOURCE_DIR "/docs/reference/") + page);
       }))
    FAIL_CHECK(name);
  const std::string page =
      "## First\n| `fit` | |\n## [L](l.md)\n| `nn::lstm` | |\n| `io::load` | |\n| `equations::symbols` | |\n## "
      "[T](t.md)\n| `fit` | |\n";
  const auto missing = [&](const std::string& text) {
    return public_names::unexplained(
               page, [&](const std::string& linked) { return linked == "l.md" ? text : "`fit`"; })
        .size();
  };
  CHECK(missing("`lstm<H>`, `io::load(path)`, `equations::symbols`") == 0);
  CHECK(missing("`lstm_f`, `load`, `symbols`") == 3);
}

TEST_CASE("the names that a newcomer reads first are about a hundred of the page, as many as it says") {
  const names first = public_names::of_first_section(the_page()), all = public_names::of_page(the_page());
  CHECK(first.size() >= 80);
  CHECK(first.size() <= 100);
  CHECK(the_page().find("## The first names\n\n" + std::to_string(first.size()) + " names ") !=
        std::string::npos);
  for (const std::string& name : first) CHECK_MESSAGE(all.contains(name), name);
}

TEST_CASE("a difference is seen on either side") {
  const std::string page =
      "| `tenon::` | |\n\n## Layers\n\n| Name | |\n|---|---|\n| `lstm` | a layer |\n| `metric::recall` | "
      "|\n| `backend::cpu` | |\n";
  const auto differences = [&](declarations::names declared) {
    return public_names::differences(declared, page);
  };
  const declarations::names right{{"tenon", {"lstm"}},
                                  {"tenon::metric", {"recall"}},
                                  {"tenon::backend", {"cpu", "map"}},
                                  {"tenon::engine", {"plan"}}};
  CHECK(differences(right).empty());
  auto more = right;
  more["tenon"].insert("gru");
  CHECK(differences(more) ==
        std::vector<std::string>{"'gru' is public and has no line in docs/reference/names.md"});
  auto fewer = right;
  fewer.erase("tenon::metric");
  CHECK(
      differences(fewer) ==
      std::vector<std::string>{"docs/reference/names.md names 'metric::recall', and no header declares it"});
}

TEST_CASE("declarations of each kind are read") {
  CHECK(
      declarations_of("namespace tenon { struct a; class b final : c<d> { int e; }; enum class f { g }; }") ==
      declarations::names{{"tenon", {"a", "b", "f"}}});
  CHECK(declarations_of(
            "namespace tenon::inline isa::x { using a = b<c>; using d::e::f; using namespace g; }") ==
        declarations::names{{"tenon::x", {"a", "f"}}});
  CHECK(
      declarations_of(
          "inline namespace q { namespace r = s::t; } namespace tenon { inline namespace u { int v(); } }") ==
      declarations::names{{"tenon", {"v"}}});
  CHECK(
      declarations_of(
          "namespace n { template <class T> requires m::A<T> && requires(T& f) { f(0); } auto g(T f) {} }") ==
      declarations::names{{"n", {"g"}}});
  CHECK(declarations_of("namespace n { template <class T> requires A<T> && (b < 3) && requires { c; } auto "
                        "d(T e) -> f { g(); } }") == declarations::names{{"n", {"d"}}});
  CHECK(declarations_of(
            "namespace n { template <class T> void a(T b) requires requires { c; } { d(); } int e; }") ==
        declarations::names{{"n", {"a", "e"}}});
  CHECK(declarations_of(
            "namespace n { inline constexpr int a = f(1, b), c = 2; constexpr d<1, 2> e{}; int g[3]; }") ==
        declarations::names{{"n", {"a", "c", "e", "g"}}});
  CHECK(declarations_of(
            "namespace n { template <> struct a<int> {}; template <int I> constexpr b c<I, 0> = 1; }")
            .empty());
  CHECK(declarations_of(
            "namespace n { template <class T> TENON_CALL(A, void) b(T, ...) TENON_SAID(A); int d(); }") ==
        declarations::names{{"n", {"b", "d"}}});
  CHECK(declarations_of("namespace n { void a::b() { c(); } bool operator==(a, a); a(int) -> a<int>; }") ==
        declarations::names{{"n", {"a"}}});
  CHECK(declarations_of("namespace n { template <class T> concept a = b<T> || requires { c; }; struct "
                        "alignas(64) d {}; }") == declarations::names{{"n", {"a", "d"}}});
  CHECK(declarations_of("#define X namespace \\\n n {\nnamespace n {\n#if A\nint a;\n#else\nint "
                        "b;\n#endif\n/* int c; */ // int d;\n"
                        "constexpr char e = '{', f[] = \"{ \\\" int g;\";\n}") ==
        declarations::names{{"n", {"a", "e"}}});
  CHECK(declarations_of("namespace n { extern template class a<b>; template class c<d>; static_assert(e); "
                        "[[nodiscard]] int f(); }") == declarations::names{{"n", {"f"}}});
}

// Names that programs use mean the user's beside `using namespace tenon`, except for tenon's own names: the page lists these, and
// how to use one's own instead. consumers/names.cpp tests them with a compiler.
TEST_CASE("which plausible names of users are the library's, too") {
#define TENON_TEST_WORD(name) #name,
  const names own{TENON_TEST_OWN_NAMES(TENON_TEST_WORD) TENON_TEST_LETTERS(TENON_TEST_WORD)
                      TENON_TEST_NAMES_OF_STD(TENON_TEST_WORD)};
  const names taken{TENON_TEST_NAMES_OF_TENON(TENON_TEST_WORD)
                        TENON_TEST_FUNCTIONS_OF_TENON(TENON_TEST_WORD)};
  REQUIRE(own.size() >= 150);
  names of_tenon = of_the_library().at("tenon");
  of_tenon.merge(public_names::nested_namespaces(of_the_library(), "tenon"));
  names of_nn = of_the_library().at("tenon::nn");
  of_nn.merge(public_names::nested_namespaces(of_the_library(), "tenon::nn"));
  for (const std::string& name : own) {
    INFO(name);
    CHECK_FALSE(of_tenon.contains(name));
  }
  for (const std::string& name : taken) {
    INFO(name);
    CHECK(of_tenon.contains(name));
  }
  const names by_layers{TENON_TEST_NAMES_OF_NN(TENON_TEST_WORD)};
  for (const std::string& name : by_layers) {
    INFO(name);
    CHECK_FALSE(of_tenon.contains(name));
    CHECK(of_nn.contains(name));
  }
  // The page lists both, in a paragraph each.
  const auto said_after = [](const std::string& begin) {
    const std::string page = the_page();
    const std::size_t first = page.find(begin);
    REQUIRE(first != std::string::npos);
    const std::string paragraph =
        page.substr(first + begin.size(), page.find("\n\n", first) - first - begin.size());
    names said;
    for (std::size_t at = 0; (at = paragraph.find('`', at)) != std::string::npos;) {
      const std::size_t end = paragraph.find('`', at + 1);
      said.insert(paragraph.substr(at + 1, end - at - 1));
      at = end + 1;
    }
    return said;
  };
  CHECK(said_after("Programs have these words, too: ") == taken);
  CHECK(said_after("also shares these words with layers and their options: ") == by_layers);
}
