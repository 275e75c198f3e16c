// The tutorial's decoder of examples/translate, which learns from its own words and decodes with another graph of the same parameters.
#include "../../../examples/translate/tutorial.hpp"

#include "examples/translate/short_run.hpp"

namespace tenon::test {

TEST_CASE("it trains on its own words, goes on from a checkpoint, and translates with beams of any width") {
  check_short_run<translation::without_forcing<translation::small>>(
      0);  // places past the sentence have weights, too
}

}  // namespace tenon::test
