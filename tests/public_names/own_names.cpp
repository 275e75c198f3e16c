// All names of consumers/names.hpp, including tenon's and std's, in a user's namespace and in a function: there they mean the user's,
// whatever namespaces have been opened outside. The network is in the same namespace.
#include "consumers/names.hpp"
#include <tenon/tenon.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <list>
#include <map>
#include <numeric>
#include <string>
#include <vector>

using namespace std;
using namespace tenon;
using namespace tenon::nn;

#define TENON_TEST_EACH_NAME(X) \
  TENON_TEST_OWN_NAMES(X)       \
  TENON_TEST_LETTERS(X)         \
  TENON_TEST_NAMES_OF_STD(X)    \
  TENON_TEST_NAMES_OF_TENON(X)  \
  TENON_TEST_NAMES_OF_NN(X)     \
  TENON_TEST_FUNCTIONS_OF_TENON(X)

#define TENON_TEST_CONSTANT(name) constexpr int name = 4;
#define TENON_TEST_IS_FOUR(name) static_assert(name == 4);
#define TENON_TEST_TYPE(name) \
  struct name {               \
    char four[4];             \
  };
#define TENON_TEST_HAS_FOUR(name) static_assert(sizeof(name) == 4);
#define TENON_TEST_FUNCTION(name) \
  constexpr int name(int given) { return given; }
#define TENON_TEST_GIVES_FOUR(name) static_assert(name(4) == 4);

namespace {
namespace constants {
TENON_TEST_EACH_NAME(TENON_TEST_CONSTANT)
TENON_TEST_EACH_NAME(TENON_TEST_IS_FOUR)

using tagger = tenon::graph<"tagger", tenon::input<"words", tenon::token<vocabulary>, tenon::steps<steps>>,
                            tenon::node<"states",
                                        tenon::nn::chain<tenon::nn::embedding<vocabulary, embedding_size>,
                                                     lstm<hidden, tenon::layers<layers>>>,
                                        "words">,
                            tenon::output<"states">>;
}  // namespace constants

namespace types {
TENON_TEST_EACH_NAME(TENON_TEST_TYPE)
TENON_TEST_EACH_NAME(TENON_TEST_HAS_FOUR)
}  // namespace types

namespace functions {
TENON_TEST_EACH_NAME(TENON_TEST_FUNCTION)
TENON_TEST_EACH_NAME(TENON_TEST_GIVES_FOUR)
}  // namespace functions

using small = graph<"small", input<"x", features<2>>, node<"y", linear<1>, "x">, output<"y">>;

TEST_CASE("each name is the user's in a namespace of the user's") {
  const tenon::parameters<constants::tagger> theta;
  inference<constants::tagger> run(theta);
  CHECK(run(std::vector<std::vector<int>>{{1, 2, 3}})[0].extent(1) == constants::hidden);
}

TEST_CASE("and in a function") {
  const tenon::parameters<small> learned;
  inference<small> running(learned);
  {
    TENON_TEST_EACH_NAME(TENON_TEST_CONSTANT)
    TENON_TEST_EACH_NAME(TENON_TEST_IS_FOUR)
    const auto found = running(std::vector<float>{1, number});
    CHECK(found[0].extent(0) == 1);
  }
  {
    TENON_TEST_EACH_NAME(TENON_TEST_TYPE)
    TENON_TEST_EACH_NAME(TENON_TEST_HAS_FOUR)
    const auto found = running(std::vector<float>{1, 2});
    CHECK(found[0].extent(0) == 1);
  }
}
}  // namespace
