// Which named tensor becomes which parameter: with lists, without a graph. With graphs, files and blocks: copy_by_name and io/parameters.
#include "tenon/parameters/by_name.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace tenon::test {

namespace {

using detail::by_name_matching, detail::by_name_options, detail::parameter_entry;

// A vector, a matrix, and one that is tied to it.
const std::vector<parameter_entry> entries{
    {"a.bias", 2, 0, 0, -1, 0, 0}, {"a.weight", 2, 3, 2, -1, 0, 0}, {"b.weight", 2, 3, 2, 1, 0, 0}};
const float bias[]{1, 2}, weight[]{3, 4, 5, 6, 7, 8}, another[]{3, 4, 5, 6, 7, 9};
const double wide[]{3, 4, 5, 6, 7, 8};

io::named_tensor vector_of(const char* name) { return {name, io::dtype::float32, {2}, bias}; }
io::named_tensor matrix_of(const char* name, const float* data = weight) {
  return {name, io::dtype::float32, {2, 3}, data};
}
std::string problems_of(const std::vector<io::named_tensor>& tensors, const by_name_options& options = {}) {
  return by_name_matching(entries, tensors, options).problems();
}

}  // namespace

TEST_CASE("one name of tied parameters is enough, and both are right if they hold the same") {
  CHECK(problems_of({vector_of("a.bias"), matrix_of("a.weight")}).empty());
  CHECK(problems_of({matrix_of("b.weight"), vector_of("a.bias")}).empty());
  CHECK(problems_of({vector_of("a.bias"), matrix_of("a.weight"), matrix_of("b.weight")}).empty());
  CHECK(problems_of({vector_of("a.bias"), matrix_of("a.weight"), matrix_of("b.weight", another)}) ==
        "\n  'a.weight' and 'b.weight' are tied in the graph, so expected the same numbers, got others at "
        "element 5");
}

TEST_CASE("what lacks a partner is named on both sides, with the nearest and with what would accept it") {
  const std::vector<io::named_tensor> tensors{vector_of("a.bias"), matrix_of("a.wieght")};
  const by_name_options strict{};
  const by_name_matching matching(entries, tensors, strict);
  CHECK(matching.problems() ==
        "\n  missing 'a.weight' [2, 3]; the nearest is 'a.wieght' [2, 3]"
        "\n  unexpected 'a.wieght' [2, 3]; the nearest is 'a.weight' [2, 3]");
  CHECK(matching.remedy() ==
        "\n  match names by .rename = {{\"theirs.*\", \"ours.*\"}}, or accept these by .allow_missing = true "
        "and "
        ".allow_unexpected = true");
  by_name_options open;
  open.allow_missing = open.allow_unexpected = true;
  const by_name_matching accepted(entries, tensors, open);
  CHECK(accepted.problems().empty());
  CHECK(accepted.remedy().empty());
  CHECK(accepted.unmatched().missing == std::vector<std::string>{"a.weight"});
  CHECK(accepted.unmatched().unexpected == std::vector<std::string>{"a.wieght"});
}

TEST_CASE("a prefix that all names of one side have is said as a renaming, which works") {
  const std::vector<io::named_tensor> tensors{vector_of("model.a.bias"), matrix_of("model.a.weight"),
                                              vector_of("step")};
  const by_name_options strict{};
  CHECK(by_name_matching(entries, tensors, strict).remedy() ==
        "\n  match names by .rename = {{\"model.*\", \"*\"}}, or accept these by .allow_missing = true and "
        ".allow_unexpected = true");
  CHECK(problems_of(tensors, {.rename = {{"model.*", "*"}}, .allow_unexpected = true}).empty());
  const std::vector<io::named_tensor> bare{vector_of("bias"), matrix_of("weight")};  // the graph has it
  CHECK(by_name_matching(entries, bare, strict)
            .remedy()
            .starts_with("\n  match names by .rename = {{\"*\", \"a.*\"}}, or"));
  CHECK(problems_of(bare, {.rename = {{"*", "a.*"}}}).empty());
}

TEST_CASE("shapes and types of numbers fit") {
  CHECK(problems_of({matrix_of("a.bias"), matrix_of("a.weight")}) ==
        "\n  'a.bias': expected [2], got [2, 3]");
  CHECK(problems_of({{"a.bias", io::dtype::int32, {2}, bias}, matrix_of("a.weight")}) ==
        "\n  'a.bias': expected floating-point numbers, got int32");
}

TEST_CASE("the first renaming that fits counts, and each fits something") {
  by_name_options options;
  options.rename = {{"old.*", "a.*"}, {"old.bias", "nowhere"}};
  CHECK(problems_of({vector_of("old.bias"), matrix_of("old.weight")}, options) ==
        "\n  the renaming 'old.bias' to 'nowhere' fits no tensor");
  options.rename = {{"old.*", "a.*"}};
  CHECK(problems_of({vector_of("a.bias"), matrix_of("a.weight"), matrix_of("old.weight")}, options) ==
        "\n  both 'a.weight' and 'old.weight' become 'a.weight'");
}

TEST_CASE("only what is asked for is matched") {
  by_name_options options;
  options.only = "*.bias";
  CHECK(problems_of({vector_of("a.bias"), matrix_of("unknown")}, options).empty());
  options.only = {"*.bias", "c.*"};
  CHECK(problems_of({vector_of("a.bias")}, options) == "\n  the pattern 'c.*' fits no parameter");
  const std::string many = std::string(100000, '*') + "z";
  options.only = many;
  CHECK(problems_of({vector_of("a.bias")}, options) ==
        "\n  the pattern '" + many.substr(0, 160) + "...' fits no parameter");
  options.only = "c.*";
  for (const char* several : {"*.b*s", "a*b*", "**bias"}) {  // of several stars, too
    options.only = several;
    CHECK(problems_of({vector_of("a.bias")}, options).empty());
  }
  options.only = "*.b*t";
  CHECK(problems_of({vector_of("a.bias")}, options) == "\n  the pattern '*.b*t' fits no parameter");
}

TEST_CASE("numbers are copied as they are, or converted") {
  const std::vector<io::named_tensor> tensors{vector_of("a.bias"),
                                              {"a.weight", io::dtype::float64, {2, 3}, wide}};
  const by_name_options options{};
  const by_name_matching matching(entries, tensors, options);
  REQUIRE(matching.problems().empty());
  float block[8]{};
  int copied = 0;
  matching.copy_to(block, [&](const io::named_tensor& t, float* to) {
    ++copied;
    read_numbers(t, 0, t.size(), to);
  });
  CHECK(copied == 1);  // the bias: its type is the block's
  CHECK(std::vector<float>(block, block + 8) == std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8});
}

TEST_CASE("a convolution's weight comes into the block's order") {
  const std::vector<parameter_entry> kernel{{"c.weight", 1, 6, 0, -1, 0, 2}};  // [1, 3 features, 2 places]
  const std::vector<io::named_tensor> tensors{{"c.weight", io::dtype::float32, {1, 3, 2}, weight}};
  const by_name_options options{};
  const by_name_matching matching(kernel, tensors, options);
  REQUIRE(matching.problems().empty());
  float block[6]{};
  matching.copy_to(block, [](const io::named_tensor&, float*) { FAIL("a kernel is not copied as it is"); });
  CHECK(std::vector<float>(block, block + 6) == std::vector<float>{3, 5, 7, 4, 6, 8});
}

}  // namespace tenon::test
