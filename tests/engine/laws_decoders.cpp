// The laws of the decoders of papers: see engine/decoders.hpp.
#include "engine/decoders.hpp"
#include "support/laws.hpp"

namespace tenon::test {

TEST_CASE("attention by the last word's embedding") { check_laws<by_last_word>(); }
TEST_CASE("one context that each step and each score sees") { check_laws<of_one_context>(); }
TEST_CASE("the table of the words is that of the scores") { check_laws<of_one_table>(); }
TEST_CASE("local attention") {
  check_laws<local<local_monotonic>>();
  check_laws<local<local_predictive>>();
}

}  // namespace tenon::test
