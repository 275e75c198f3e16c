#include "pages/snippets.hpp"

#include <doctest/doctest.h>

TEST_CASE("blocks keep their order, their place and their line numbers; includes come first") {
  const std::string text =
      "# Title\n"
      "```cpp\n"
      "#include <one>\n"
      "int a = 1;\n"
      "```\n"
      "```sh\n"
      "#include <not C++>\n"
      "```\n"
      "  ```cpp main\n"
      "  a = 2;\n"
      "  ```\n"
      "```cpp wrong\n"
      "int a = \"two\";\n"
      "```\n"
      "```cpp\n"
      "  #  include <two>\n"
      "int b;\n"
      "```\n";
  CHECK(pages::program("page.md", text) ==
        "#line 3 \"page.md\"\n#include <one>\n"
        "#line 16 \"page.md\"\n  #  include <two>\n"
        "#line 3 \"page.md\"\n\nint a = 1;\n"
        "#line 16 \"page.md\"\n\nint b;\n"
        "int main() {\n"
        "#line 10 \"page.md\"\n  a = 2;\n"
        "}\n");
}

TEST_CASE("a page without C++ is an empty program") {
  CHECK(pages::program("p", "text") == "int main() {\n}\n");
}

TEST_CASE("a block that is misspelled or does not end is an error at its line") {
  CHECK_THROWS_WITH(pages::program("p.md", "\n```cpp mian\n```\n"),
                    "p.md:2: unknown block 'cpp mian'; there are cpp, cpp main and cpp wrong");
  CHECK_THROWS_WITH(pages::program("p.md", "\n\n```cpp\nint a;\n"), "p.md:3: this block does not end");
}
