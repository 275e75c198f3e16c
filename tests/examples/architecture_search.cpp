// The texts of the tasks, how many units a cell gets, the file of results, and a short training after which an LSTM counts beyond the lengths
// that it has learnt.
// flags: -O2
#include "../../examples/architecture_search/results.hpp"
#include "../../examples/architecture_search/search.hpp"
#include "support/temporary_file.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using namespace architecture_search;
using namespace tenon;

namespace {

std::string text_of(const std::vector<int>& some) {
  std::string text;
  for (const int k : some) text += k < 0 ? '?' : characters[static_cast<std::size_t>(k)];
  return text;
}

TEST_CASE("arithmetic: the answer is right, and only its characters are asked for") {
  for (int row = 0; row < 300; ++row) {
    const exercise one = some_exercise(task::arithmetic, seed{3}, row);
    REQUIRE(one.read.size() == one.target.size());
    REQUIRE(one.read.size() <= longest);
    const std::string read = text_of(one.read), target = text_of(one.target);
    const std::size_t equals = read.find('=');
    std::string sum;
    for (const char c : read.substr(0, equals))
      if (c < 'a' || c > 'z') sum += c;
    const std::size_t sign = sum.find_first_of("+-");
    const int a = std::atoi(sum.c_str()), b = std::atoi(sum.c_str() + sign + 1);
    CHECK(target.substr(0, equals) == std::string(equals, '?'));
    CHECK(target.substr(equals) == std::to_string(sum[sign] == '+' ? a + b : a - b) + ".");
    CHECK(read.substr(equals + 1) + "." == target.substr(equals));
  }
}

TEST_CASE("xml: each tag that is closed is the last open one, and every character is asked for") {
  for (std::uint64_t s = 1; s < 50; ++s) {
    backend::random_stream random(s, 0);
    const std::string text = xml_text(random, 400);
    CHECK(text.size() == 400);
    std::vector<std::string> open;
    for (std::size_t from = 0, to = 0; (to = text.find('>', from)) != std::string::npos; from = to + 1) {
      REQUIRE(text[from] == '<');
      const std::string tag = text.substr(from + 1, to - from - 1);
      if (tag[0] == '/') {
        REQUIRE_FALSE(open.empty());
        CHECK(tag.substr(1) == open.back());
        open.pop_back();
      } else {
        CHECK(tag.size() >= 2);
        CHECK(tag.size() <= 5);
        open.push_back(tag);
      }
    }
  }
  const exercise one = some_exercise(task::xml, seed{3}, 1);
  CHECK(text_of(one.read).substr(1) == text_of(one.target).substr(0, one.read.size() - 1));
}

TEST_CASE("counting: what follows each b") {
  const exercise one = exercise_of(task::counting, counting_text(3));
  CHECK(text_of(one.read) == "aaabbb");
  CHECK(text_of(one.target) == "???bb.");
  CHECK(counting_text(longest_tested).size() - 1 <= longest);
}

TEST_CASE("a file keeps results") {
  const ::file_with file("search.csv");
  std::remove(file.path.c_str());
  {
    results first(file.path);
    CHECK_FALSE(first.find("xml GRU seed 1"));
    first.add("xml GRU seed 1", 0.1, 2);
    first.add("xml GRU, seed 2", 1 / 3.0, 2.5);
  }
  results next(file.path);
  CHECK(next.find("xml GRU seed 1") == 0.1);
  CHECK(next.find("xml GRU, seed 2") == 1 / 3.0);
  CHECK_FALSE(next.find("xml GRU seed 3"));
}

template <class Cell, int Units>
constexpr long missing = std::max(parameters<searched<Cell, Units>>::count() - parameters_of_all,
                                  parameters_of_all - parameters<searched<Cell, Units>>::count());
template <class Cell, int Units = units_of<Cell>()>
constexpr bool is_nearest = std::min({missing<Cell, Units - 1>, missing<Cell, Units>,
                                      missing<Cell, Units + 1>}) == missing<Cell, Units>;
static_assert(is_nearest<nn::cells::rnn_tanh> && is_nearest<nn::cells::lstm> && is_nearest<nn::cells::mut1>);

TEST_CASE("an LSTM without its forget gate counts beyond the lengths that it has learnt, a GRU does not") {
  const job short_training{.of = task::counting, .seed = 1, .updates = 1500, .learning_rate = 1e-2};
  CHECK(result_of<nn::cells::lstm_f>(short_training) > 0.8);
  CHECK(result_of<nn::cells::gru>(short_training) < 0.2);
}

}  // namespace
