// How a checkpoint's training differs, in few words: single values, lists, long texts.
#include "tenon/train/checkpoints/other_training.hpp"

#include <doctest/doctest.h>

#include <string>

namespace tenon::test {

using engine::other_training;

TEST_CASE("a value is said as a whole") {
  CHECK(other_training("batch", "32", "64") == "its batch is '32', here it is '64'");
  CHECK(other_training("groups", "", "'*' max_norm 2; ") ==
        "its groups is '', here it is ''*' max_norm 2; '");
}
TEST_CASE("of a list the first that differs is said, and how many more") {
  CHECK(other_training("parameters", "a.weight [4, 8]; a.bias [4]; b.weight [2, 4]; b.bias [2]; ",
                       "a.weight [6, 8]; a.bias [6]; b.weight [2, 6]; b.bias [2]; ") ==
        "of its parameters the first that differs is 'a.weight [4, 8]', here it is 'a.weight [6, 8]', and 2 "
        "more differ");
  CHECK(other_training("parameters", "a [4]; b [4]; ", "a [4]; c [4]; ") ==
        "of its parameters the first that differs is 'b [4]', here it is 'c [4]'");
  CHECK(other_training("parameters", "a [4]; ", "a [4]; c [4]; d [4]; ") ==
        "of its parameters the first that differs is nothing, here it is 'c [4]', and 1 more differ");
  CHECK(other_training("words", "the\ndog\nruns\n", "the\ncat\ndog\nruns\n") ==
        "of its words the first that differs is 'dog', here it is 'cat'");
  CHECK(other_training("words", "the\ndog\n", "dog\nthe\n") ==
        "of its words the first that differs is 'the', here it is 'dog'");
}
TEST_CASE("of a long text the place is said where it differs") {
  const std::string same(1000, 'x');
  const std::string said = other_training("characters", same + "a" + same, same + "b" + same);
  CHECK(said.size() < 400);
  CHECK(said.starts_with("its characters is '..." + std::string(40, 'x') + "ax"));
  CHECK(said.find("here it is '..." + std::string(40, 'x') + "bx") != std::string::npos);
  std::string few, many;
  for (int k = 0; k < 300; ++k) {
    few += "layer" + std::to_string(k) + ".weight [400, 128]; ";
    many += "layer" + std::to_string(k) + ".weight [800, 128]; ";
  }
  CHECK(other_training("parameters", few, many) ==
        "of its parameters the first that differs is 'layer0.weight [400, 128]', here it is 'layer0.weight "
        "[800, 128]', and 299 more differ");
}

}  // namespace tenon::test
