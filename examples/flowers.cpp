// Flowers: which of three irises has these four measures? The program's own structs are the rows of the data, the questions and the
// answers: Boost.Hana tells the library the names of their members.
// The flowers are drawn around the means, with the deviations, of Fisher's (1936). A fifth of them is held out.
#include <tenon/hana.hpp>
#include <tenon/tenon.hpp>

#include <array>
#include <cstddef>
#include <cstdio>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

enum class species { setosa, versicolor, virginica };
constexpr std::array<const char*, 3> names{"setosa", "versicolor", "virginica"};

struct flower {
  std::array<float, 4> measures;  // length and width of a sepal, then of a petal
  species kind;
};
struct question {
  std::array<float, 4> measures;
};
struct answer {
  std::array<float, 3> scores;
};
BOOST_HANA_ADAPT_STRUCT(flower, measures, kind);
BOOST_HANA_ADAPT_STRUCT(question, measures);
BOOST_HANA_ADAPT_STRUCT(answer, scores);

using irises = graph<"irises",
    input<"measures", features<4>>,
    node<"seen",   chain<linear<16>, activation::tanh>, "measures">,
    node<"scores", linear<3>,                           "seen">,
    output<"scores">>;
using teacher = trainer<irises, losses::cross_entropy<"scores", "kind">, optimizers::adam, batch<16>>;

std::vector<flower> grow(int each) {
  constexpr double means[3][4]{{5.01, 3.43, 1.46, 0.25}, {5.94, 2.77, 4.26, 1.33}, {6.59, 2.97, 5.55, 2.03}};
  constexpr double deviations[3][4]{{0.35, 0.38, 0.17, 0.11}, {0.52, 0.31, 0.47, 0.20}, {0.64, 0.32, 0.55, 0.27}};
  backend::random_stream random(1, 0);
  std::vector<flower> all;
  for (int n = 0; n < each; ++n)
    for (std::size_t k = 0; k < 3; ++k) {
      flower one{{}, static_cast<species>(k)};
      for (std::size_t m = 0; m < 4; ++m) one.measures[m] = static_cast<float>(random.normal(means[k][m], deviations[k][m]));
      all.push_back(one);
    }
  return all;
}

species kind_of(const answer& a) { return static_cast<species>(argmax(view<const float>(a.scores.data(), {3}))); }

int main() {
  const std::vector<flower> flowers = grow(200);
  const auto [seen, held_out] = split(columns_of(flowers), 0.2, seed{2});
  parameters<irises> theta(seed{3});
  teacher learner(theta);
  fit(learner, seen, {.epochs = 30, .shuffle = seed{4}});

  inference<irises, batch<16>> model(theta);
  const std::vector<answer> answers = predict<answer>(model, columns_of(flowers));
  std::size_t right = 0;
  for (std::size_t k = 0; k < answers.size(); ++k) right += kind_of(answers[k]) == flowers[k].kind;
  const double share = evaluate(learner, held_out, {metric::accuracy<"scores", "kind">{}}).metrics[0];
  std::printf("%zu of %zu flowers right, %.1f %% of the %d held-out ones\n", right, answers.size(), 100 * share, held_out.size());

  const std::vector<question> asked{{{5.1f, 3.5f, 1.4f, 0.2f}}, {{6.9f, 3.1f, 5.4f, 2.1f}}};
  model(asked);
  for (int row = 0; row < model.rows(); ++row) {
    const auto& m = asked[static_cast<std::size_t>(row)].measures;
    std::printf("sepal %.1f x %.1f cm, petal %.1f x %.1f cm: %s\n", m[0], m[1], m[2], m[3],
                names[static_cast<std::size_t>(kind_of(get<answer>(model, row)))]);
  }
  return share >= 0.9 ? 0 : 1;
}
