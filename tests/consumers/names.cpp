// A user's names in the global namespace, beside `using namespace` tenon, tenon::equations and std: each name of names.hpp is a constant,
// a type or a function (-DTENON_TEST_CONSTANTS, _TYPES, _FUNCTIONS), and a network is built, run and trained among them. Constants
// are compiled with tenon's headers as system headers: otherwise g++ would warn about locals in generic lambdas that shadow a constant `s`.
#include "names.hpp"

#include <tenon/tenon.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <list>
#include <map>
#include <numeric>
#include <ratio>
#include <set>
#include <string>
#include <vector>

using namespace std;
using namespace tenon;
using namespace tenon::equations;

#if defined(TENON_TEST_CONSTANTS)
#  define TENON_TEST_DECLARE(name) constexpr int name = 4;
#  define TENON_TEST_USE(name) static_assert(name == 4);
#  define TENON_TEST_USE_OVERLOAD(name) TENON_TEST_USE_GLOBAL(name)
#  define TENON_TEST_USE_GLOBAL(name) static_assert(::name == 4);
#elif defined(TENON_TEST_TYPES)
#  define TENON_TEST_DECLARE(name) \
    struct name {                  \
      char four[4];                \
    };
#  define TENON_TEST_USE(name) static_assert(sizeof(name) == 4);
#  define TENON_TEST_USE_OVERLOAD(name) TENON_TEST_USE_GLOBAL(name)
#  define TENON_TEST_USE_GLOBAL(name) static_assert(sizeof(::name) == 4);
#elif defined(TENON_TEST_FUNCTIONS)
#  define TENON_TEST_DECLARE(name) \
    constexpr int name(int given) { return given; }
#  define TENON_TEST_USE(name) static_assert(name(4) == 4);
#  define TENON_TEST_USE_OVERLOAD(name) TENON_TEST_USE(name)
#  define TENON_TEST_USE_GLOBAL(name) static_assert(::name(4) == 4);
#endif

TENON_TEST_OWN_NAMES(TENON_TEST_DECLARE)
TENON_TEST_NAMES_OF_NN(TENON_TEST_DECLARE)
TENON_TEST_LETTERS(TENON_TEST_DECLARE)
TENON_TEST_NAMES_OF_STD(TENON_TEST_DECLARE)
TENON_TEST_NAMES_OF_TENON(TENON_TEST_DECLARE)
TENON_TEST_FUNCTIONS_OF_TENON(TENON_TEST_DECLARE)

TENON_TEST_OWN_NAMES(TENON_TEST_USE)
TENON_TEST_NAMES_OF_NN(TENON_TEST_USE)
TENON_TEST_LETTERS(TENON_TEST_USE)
TENON_TEST_NAMES_OF_STD(TENON_TEST_USE_GLOBAL)
TENON_TEST_NAMES_OF_TENON(TENON_TEST_USE_GLOBAL)
TENON_TEST_FUNCTIONS_OF_TENON(TENON_TEST_USE_OVERLOAD)

// In a cell, letters are those of its base.
struct gated : symbols {
  static constexpr auto step(auto in, auto before) {
    const auto open = sigmoid(W<"z">(in) + U<"z">(before) + V<"z">(in) + b<"z"> + b_W<"z"> + b_U<"z">);
    return open * before + (1 - open) * tanh(matrix<"n">(in) + vector<"m">);
  }
};
using tagger =
    tenon::graph<"tagger", tenon::input<"words", tenon::token<20>, tenon::steps<6>>,
                 tenon::node<"embedded", tenon::nn::embedding<20, 4>, "words">,
                 tenon::node<"states", tenon::nn::gru<4, tenon::nn::bidirectional>, "embedded">,
                 tenon::node<"gated", tenon::nn::recurrent<gated, tenon::nn::hidden<4>>, "states">,
                 tenon::node<"read", tenon::nn::attention<tenon::nn::score::dot>, "gated.final", "gated">,
                 tenon::node<"scores", tenon::nn::linear<3>, "read">, tenon::output<"scores">>;

int main() {
  tenon::parameters<tagger> learned;
  const auto some = data_set(tenon::column<"words">(std::vector<std::vector<int>>{{1, 2, 3}, {4, 5}}),
                             tenon::column<"target">(std::vector<int>{0, 2}));
  trainer<tagger, tenon::losses::cross_entropy<"scores">, tenon::optimizers::adam, tenon::batch<2>>
      training_it(learned);
  tenon::fit(training_it, some,
             {.epochs = 2, .validate = some, .metrics = {tenon::metric::accuracy<"scores">{}}});
  inference<tagger> running(learned);
  set_input<"words">(running, std::vector<std::vector<int>>{{4, 5}});
  running.run();
  if (get_input<"words">(running)(0, 0) != 4 || get<"scores">(running).size() != 3) return 1;
  return tenon::argmax(running(std::vector<std::vector<int>>{{4, 5}})[0]) < 3 ? 0 : 1;
}
