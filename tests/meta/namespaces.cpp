// A user opens tenon beside std, and has their own names: tenon contains neither common words nor names of the compiler.
#include <tenon/tenon.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <list>
#include <map>
#include <numeric>
#include <ranges>
#include <string>
#include <vector>

using namespace std;
using namespace tenon;
using namespace tenon::nn;

struct text {};
struct name {};
struct value {};
struct kernel {};
struct buffer {};
struct edge {};
struct operation {};
struct parameter {};
struct program {};
struct problem {};
struct instruction {};
struct schedule {};
struct sentence {};
struct label {};
struct characters {};
struct place {};
struct phase {};
struct op {};
struct stage {};
struct table {};
struct pattern {};
struct network {};
struct work {};
int join(int a, int b) { return a + b; }
int repeat(int a) { return a; }
int trace(int a) { return a; }
int build(int a) { return a; }
int find_live(int a) { return a; }
constexpr int W = 3, U = 4, V = 5;

namespace {

struct doubled : equations::symbols {
  static constexpr auto at(auto x) {
    return matrix<"gain", 1>(x) * tanh(x) * softmax(x) + argmax(x) + vector<"shift">;
  }
};
// std::max and std::min also take two values of one type; greater, slice and identity are std's classes, and are written in full.
struct of_two {
  static constexpr auto at(auto x) {
    auto y = max(x, x + 1) + min(x, x), z = max(sigmoid(x), sigmoid(y)), low = min(z, y);
    return select(ir::greater(x, 0), max(low, z), ir::identity(ir::slice<0, 1>(x)));
  }
};
using of_two_graph = graph<"of_two", input<"x", features<1>>, node<"y", of_two, "x">, output<"y">>;
using opened = graph<"opened", input<"x", features<W>>,
                     node<"y", chain<linear<U>, activation::relu, doubled>, "x">, output<"y">>;

// std has a tie.
using word_predictor =
    graph<"word_predictor", input<"word", token<W>>, node<"embedded", embedding<W, 2>, "word">,
          node<"scores", linear<W, no_bias>, "embedded">, tied<"embedded.weight", "scores.weight">,
          output<"scores">>;
static_assert(check<word_predictor>());

TEST_CASE("tenon beside std") {
  [[maybe_unused]] tuple<text, name, value, kernel, buffer, edge, operation, parameter, program, problem,
                         instruction, schedule, sentence, label, characters, place, phase, op, stage, table,
                         pattern, network, work>
      of_the_user;
  const parameters<opened> theta(seed{1});
  inference<opened> run;
  set_input<"x">(run, vector<float>{1, 2, 3});
  run.run(theta);
  const float y = get<"y">(run)(0, 0);
  const list<int> numbers{join(1, 2), repeat(3), trace(3), build(3), find_live(3)};
  map<string, vector<float>> found{{"y", {y}}};
  const parameters<of_two_graph> none;
  inference<of_two_graph> largest(none);
  const float at_two = largest(vector<float>{2})(0, 0), at_minus_two = largest(vector<float>{-2})(0, 0);
  CHECK(abs(at_two - 1 / (1 + exp(-5.0f))) < 1e-6f);  // y is 5, both of its sigmoids are below it
  CHECK(at_minus_two == -2);
  backend::random_stream random(1, 0);
  const auto scores = get<"y">(run)[0];
  CHECK(argmax(scores) == top_k(scores, 1)[0].index);
  CHECK(sample(scores, random, {.top_k = 1}) == argmax(scores));
  CHECK(softmax(scores).size() == scores.size());
  CHECK(found["y"].size() == 1);
  CHECK(accumulate(numbers.begin(), numbers.end(), 0) == W * V);
  CHECK(*next(numbers.begin()) == 3);
}

}  // namespace
