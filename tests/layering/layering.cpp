// No include of include/tenon/ breaks a layering rule. And the checker finds each kind of violation.
#include "layering/house.hpp"

#include <doctest/doctest.h>

using house::check;

namespace {

/// The one problem of a tree, or a text that matches nothing.
std::string only_problem(const house::headers& tree) {
  const auto problems = check(tree);
  std::string all;
  for (const auto& p : problems) all += p + "\n";
  INFO(all);
  CHECK(problems.size() == 1);
  return problems.empty() ? "no problem found" : problems.front();
}

}  // namespace

TEST_CASE("the library keeps the rules") {
  const auto tree = house::read(TENON_SOURCE_DIR "/include/tenon");
  REQUIRE(!tree.empty());
  for (const auto& problem : check(tree)) FAIL_CHECK(problem);
  for (const auto& [path, text] : tree)
    WARN_MESSAGE(house::code_lines(text) <= house::many_lines, path << " may have a second subject");
}

TEST_CASE("libraries that cost much to compile come by their own names only") {
  const auto tree = house::read(TENON_SOURCE_DIR "/include/tenon");
  for (const char* umbrella : {"tenon.hpp", "train.hpp", "data.hpp", "io.hpp"})
    for (const char* library : {"boost/", "xtensor/", "xtl/", "thrust/", "mpi.h", "nccl.h"})
      for (const auto& include : house::reached(tree, umbrella, library))
        FAIL_CHECK(umbrella << ": " << include);
  CHECK(!house::reached(tree, "hana.hpp", "boost/").empty());
  CHECK(house::reached(
            {{"tenon.hpp", "#include <tenon/nn/a.hpp>"}, {"nn/a.hpp", "\n#include <boost/hana.hpp>"}},
            "tenon.hpp", "boost/") == std::vector<std::string>{"include/tenon/nn/a.hpp:2: <boost/hana.hpp>"});
}

TEST_CASE("what is compiled once depends on no instruction set") {
  const auto tree = house::read(TENON_SOURCE_DIR "/include/tenon");
  for (const char* prefix : {"xsimd/", "boost/", "xtensor/", "xtl/", "thrust/", "immintrin.h"})
    for (const auto& include : house::reached(tree, "compiled.cpp", prefix)) FAIL_CHECK(include);
  for (const auto& file : house::reached_files(tree, "compiled.cpp")) {
    const std::string code = house::code_of(tree.at(file));
    if (file == "compiled.cpp" || file.ends_with(".ipp"))
      CHECK_MESSAGE(code.find("__AVX") == code.npos, file);
    CHECK_MESSAGE(!file.starts_with("backend/cpu/"), file);
  }
}

TEST_CASE("bodies that are compiled once, and where they are included") {
  const std::string end = "int a();\n\n#ifndef TENON_COMPILED\n#  include \"tenon/io/a.ipp\"\n#endif\n";
  const std::string both = "#include \"tenon/io/a.hpp\"\n#include \"tenon/io/a.ipp\"\n";
  const std::string bodies = "#include \"tenon/meta/b.hpp\"\n#include <fcntl.h>\n";
  CHECK(check({{"io/a.hpp", end}, {"io/a.ipp", bodies}, {"meta/b.hpp", ""}, {"compiled.cpp", both}}).empty());
  CHECK(
      only_problem({{"io/a.hpp", "int a();\n"}, {"io/a.ipp", ""}, {"compiled.cpp", both}}) ==
      "include/tenon/io/a.ipp: bodies; io/a.hpp does not end with #ifndef TENON_COMPILED, their include and "
      "#endif");
  CHECK(only_problem({{"io/a.ipp", ""}, {"compiled.cpp", "#include \"tenon/io/a.ipp\"\n"}}) ==
        "include/tenon/io/a.ipp: bodies; there is no io/a.hpp, which declares them");
  CHECK(only_problem(
            {{"io/a.hpp", end}, {"io/a.ipp", ""}, {"compiled.cpp", "#include \"tenon/io/a.hpp\"\n"}}) ==
        "include/tenon/io/a.ipp: bodies; compiled.cpp does not include io/a.ipp");
  CHECK(only_problem({{"io/a.hpp", end},
                      {"io/a.ipp", ""},
                      {"io/b.hpp", "#include \"a.ipp\"\n"},
                      {"compiled.cpp", both}}) ==
        "include/tenon/io/b.hpp:1: bodies are included by their header and by compiled.cpp only");
  // The rules of its header's room.
  CHECK(only_problem({{"io/a.hpp", end},
                      {"io/a.ipp", "#include \"tenon/data/b.hpp\"\n"},
                      {"data/b.hpp", ""},
                      {"compiled.cpp", both}})
            .find("upward") != std::string::npos);
  CHECK(
      only_problem({{"io/a.hpp", end}, {"io/a.ipp", "#include <xsimd/xsimd.hpp>\n"}, {"compiled.cpp", both}})
          .find("fence; this") != std::string::npos);
}

TEST_CASE("arrows may point down, and to any depth of one's own folder") {
  CHECK(
      check({{"meta/a.hpp", "#include <vector>\n#include <boost/hana.hpp>\n"},
             {"program/b.hpp", "#include <tenon/meta/a.hpp>\n"},
             {"lowering/c.hpp", "#include <tenon/program/b.hpp>\n"},
             {"nn/cell/c.hpp", "#include <tenon/nn/d.hpp>\n#include \"d.hpp\"\n"},
             {"nn/cell/d.hpp", "#include <tenon/version.hpp>\n"},
             {"nn/d.hpp", "#include <tenon/lowering/c.hpp>\n"},
             {"backend/e.hpp", "#include <tenon/program/b.hpp>\n"},
             {"backend/reference/f.hpp", "#include <tenon/backend/e.hpp>\n"},
             {"backend/cpu/g.hpp", "#include <tenon/backend/reference/f.hpp>\n#include <xsimd/xsimd.hpp>\n"},
             {"backend/thrust/h.hpp",
              "#include <tenon/backend/reference/f.hpp>\n#include <thrust/version.h>\n"},
             {"backend/cuda/h.hpp", "#include <tenon/backend/thrust/h.hpp>\n#include <cuda_runtime_api.h>\n"},
             {"engine/plan/i.hpp", "#include <tenon/nn/d.hpp>\n#include <tenon/backend/e.hpp>\n"},
             {"engine/run/operations/i.hpp", "#include <tenon/engine/plan/i.hpp>\n"},
             {"engine/session/i.hpp", "#include <tenon/backend/cpu/g.hpp>\n"},
             {"io/j.hpp",
              "#include <tenon/engine/run/operations/i.hpp>\n#include <xtensor/xarray.hpp>\n#include "
              "<unistd.h>\n"},
             {"data/k.hpp", "#include <tenon/io/j.hpp>\n"},
             {"tenon.hpp", "#include <tenon/io/j.hpp>\n"},
             {"version.hpp", ""}})
          .empty());
}

TEST_CASE("an upward arrow") {
  CHECK(only_problem({{"tensor/a.hpp", "#pragma once\n#include <tenon/engine/run/b.hpp>\n"},
                      {"engine/run/b.hpp", ""}}) ==
        "include/tenon/tensor/a.hpp:2: tensor (floor 2) -> engine/run/b.hpp (floor 8): upward; arrows point "
        "down "
        "only");
  CHECK(only_problem(
            {{"engine/plan/a.hpp", "#include <tenon/engine/session/b.hpp>"}, {"engine/session/b.hpp", ""}})
            .find("upward") != std::string::npos);
  CHECK(only_problem({{"io/a.hpp", "#include <tenon/data/b.hpp>"}, {"data/b.hpp", ""}}).find("upward") !=
        std::string::npos);
  CHECK(only_problem({{"meta/a.hpp", "#include <tenon/program/b.hpp>"}, {"program/b.hpp", ""}})
            .find("upward") != std::string::npos);
  CHECK(only_problem({{"nn/a.hpp", "#include <tenon/tenon.hpp>"}, {"tenon.hpp", ""}}) ==
        "include/tenon/nn/a.hpp:1: nn -> tenon.hpp: only the user includes the umbrella");
}

TEST_CASE("a sideways arrow, however it is spelled") {
  for (const char* include : {"#include <tenon/tensor/b.hpp>", "#include \"tenon/tensor/b.hpp\"",
                              "#include \"../tensor/b.hpp\"", "  #  include<tenon/tensor/b.hpp>  // why"})
    CHECK(
        only_problem({{"equation/a.hpp", include}, {"tensor/b.hpp", ""}}) ==
        "include/tenon/equation/a.hpp:1: equation (floor 2) -> tensor/b.hpp (floor 2): sideways; neighbours "
        "on a floor "
        "do not include each other");
  for (auto [from, to] : {std::pair{"graph/a.hpp", "backend/b.hpp"},
                          {"backend/a.hpp", "graph/b.hpp"},
                          {"diagnostics/a.hpp", "program/b.hpp"},
                          {"backend/a.hpp", "backend/reference/b.hpp"},
                          {"backend/cpu/a.hpp", "backend/thrust/b.hpp"},
                          {"backend/thrust/a.hpp", "backend/cuda/b.hpp"},
                          {"backend/reference/a.hpp", "backend/cpu/b.hpp"},
                          {"train/a.hpp", "data/b.hpp"},
                          {"train/metrics/a.hpp", "train/reports/b.hpp"}})
    CHECK(only_problem({{from, std::string("#include <tenon/") + to + ">"}, {to, ""}}).find("sideways") !=
          std::string::npos);
}

TEST_CASE("an arrow from the engine to a machine") {
  CHECK(
      only_problem({{"engine/run/a.hpp", "#include <tenon/backend/cpu/b.hpp>"}, {"backend/cpu/b.hpp", ""}}) ==
      "include/tenon/engine/run/a.hpp:1: engine/run (floor 8) -> backend/cpu/b.hpp (floor 4): across; a room "
      "names the "
      "rooms that it may include");
}
TEST_CASE("an arrow from one pillar into the other") {
  CHECK(only_problem({{"nn/a.hpp", "#include <tenon/tensor/b.hpp>"}, {"tensor/b.hpp", ""}}) ==
        "include/tenon/nn/a.hpp:1: nn (floor 5) -> tensor/b.hpp (floor 2): across; a room names the rooms "
        "that it may include");
  CHECK(
      only_problem({{"backend/cpu/a.hpp", "#include <tenon/equation/trace.hpp>"}, {"equation/trace.hpp", ""}})
          .find("across") != std::string::npos);
}

TEST_CASE("a cycle, also within a folder") {
  CHECK(only_problem({{"program/a.hpp", "#include <tenon/program/b.hpp>"},
                      {"program/b.hpp", "\n#include \"a.hpp\""}}) ==
        "include/tenon/program/b.hpp:2: cycle; program/a.hpp -> program/b.hpp -> program/a.hpp");
  CHECK(only_problem({{"program/a.hpp", "#include \"a.hpp\""}}).find("cycle") != std::string::npos);
}

TEST_CASE("a library outside its fence") {
  CHECK(only_problem({{"nn/a.hpp", "\n\n#include <boost/hana.hpp>"}}) ==
        "include/tenon/nn/a.hpp:3: nn -> <boost/hana.hpp>: fence; this library is included in meta/ only");
  for (auto [path, library] : {std::pair{"engine/run/a.hpp", "xtensor/xarray.hpp"},
                               {"backend/reference/a.hpp", "xsimd/xsimd.hpp"},
                               {"backend/a.hpp", "xsimd/xsimd.hpp"},
                               {"backend/cpu/a.hpp", "thrust/version.h"},
                               {"backend/cpu/a.hpp", "cub/cub.cuh"},
                               {"tensor/a.hpp", "cuda_runtime.h"},
                               {"engine/run/a.hpp", "cuda/std/array"},
                               {"data/a.hpp", "boost/hana/accessors.hpp"},
                               {"hana.hpp", "boost/hana.hpp"},
                               {"tenon.hpp", "boost/hana.hpp"}})
    CHECK(only_problem({{path, std::string("#include <") + library + ">"}}).find("fence; this") !=
          std::string::npos);
  CHECK(only_problem({{"io/a.hpp", "#include <Eigen/Core>"}}).find("unknown library") != std::string::npos);
}

TEST_CASE("a header that is too long") {
  const std::string no_code = "// a comment\n\n#include <vector>\n  /* two\n lines */\n";
  std::string most;
  for (int k = 0; k < house::most_lines; ++k) most += no_code + "  int a;  // a comment\n";
  CHECK(house::code_lines(most) == 400);
  CHECK(check({{"nn/a.hpp", most}}).empty());
  CHECK(only_problem({{"nn/a.hpp", most + "int b;\n"}}) ==
        "include/tenon/nn/a.hpp: 401 lines of code, at most 400; give a second subject a header of its own");
}

TEST_CASE("a retired word, where it is code") {
  CHECK(only_problem({{"nn/a.hpp", "int binding = 0;"}}) ==
        "include/tenon/nn/a.hpp: the word binding is retired: operand");
  CHECK(only_problem({{"nn/a.hpp", "auto x = op::add;"}}).find("opcode") != std::string::npos);
  CHECK(only_problem({{"nn/a.hpp", "if (k.what == 1) return;"}}).find("retired") != std::string::npos);
  CHECK(check({{"nn/a.hpp",
                "// binding\n#include <tenon/nn/given.hpp>\n/* work */ int bindings = \"a \\\" given\"[0];\n"
                "const operation& op = e.what();"},
               {"nn/given.hpp", ""}})
            .empty());
}

TEST_CASE("a namespace without the version") {
  const std::string version = "#define TENON_VERSION_MAJOR 1\n#define TENON_VERSION_MINOR 20\n";
  CHECK(check({{"version.hpp", version},
               {"nn/a.hpp",
                "namespace tenon::inline v1_20 {\n}\nnamespace tenon::inline v1_20::nn {\n}\n// namespace "
                "tenon {"}})
            .empty());
  const std::string problem =
      "include/tenon/nn/a.hpp: version; a namespace begins with namespace tenon::inline v1_20";
  for (const char* opened :
       {"namespace tenon {", "int a;\nnamespace tenon::nn {", "namespace tenon::inline v1_2 {"})
    CHECK(only_problem({{"version.hpp", version}, {"nn/a.hpp", opened}}) == problem);
}

TEST_CASE("an unknown folder, an absent header, an include nobody can read") {
  CHECK(only_problem({{"util/a.hpp", ""}}) ==
        "include/tenon/util/a.hpp:1: unknown folder; give it a floor in house::rooms");
  CHECK(only_problem({{"engine/a.hpp", ""}}).find("unknown folder") != std::string::npos);
  CHECK(only_problem({{"backend/vulkan/a.hpp", ""}}).find("unknown folder") != std::string::npos);
  CHECK(only_problem({{"train/games/a.hpp", ""}}).find("unknown folder") != std::string::npos);
  CHECK(only_problem({{"nn/a.hpp", "#include <tenon/nn/b.hpp>"}}) ==
        "include/tenon/nn/a.hpp:1: there is no include/tenon/nn/b.hpp");
  CHECK(only_problem({{"nn/a.hpp", "#include TENON_FILE"}}).find("must name its file") != std::string::npos);
}
