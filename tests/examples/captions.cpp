// Captions, painted pictures, the score of captions, and a short training on pictures of a one or an eight of
// seven segments: pictures that it has not seen are described rightly, greedily and by a beam.
// flags: -O2
#include "../../examples/captions.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <set>

using namespace digit_captions;

TEST_CASE("a caption says which digits are where, in the order of the fields") {
  CHECK(caption_of({{7, 0}, {8, 5}}) == "a seven at the top left and an eight at the right");
  CHECK(caption_of({{0, 1}, {3, 4}, {8, 6}, {9, 8}}) ==
        "a zero at the top , a three in the middle , an eight at the bottom left and a nine at the bottom "
        "right");
  for (const scene& one : some_scenes(300, seed{1})) {
    CHECK((one.size() >= 2 && one.size() <= 4));
    for (std::size_t k = 1; k < one.size(); ++k) CHECK(one[k - 1].field < one[k].field);
    const std::vector<int> target = encoded_captions({one})[0];
    CHECK((target.back() == end && static_cast<int>(target.size()) <= longest));
  }
}

TEST_CASE("digits are painted in their fields, without touching the others") {
  digit_images dots;
  for (std::vector<pixels>& of_digit : dots) {
    of_digit.emplace_back(digit_side * digit_side);
    of_digit[0][14 * digit_side + 14] = 1;  // the middle
  }
  backend::random_stream random(2, 0);
  for (const scene& one : some_scenes(100, seed{2})) {
    const pixels picture = painted(one, dots, random);
    std::set<int> fields;
    for (int p = 0; p < side * side; ++p)
      if (picture[static_cast<std::size_t>(p)] > 0) {
        const int y = p / side - 10, x = p % side - 10;
        CHECK((y % 16 < 13 && x % 16 < 13));
        fields.insert(y / 16 * 3 + x / 16);
      }
    CHECK(fields.size() == one.size());
    for (const placed_digit& d : one) CHECK(fields.contains(d.field));
  }
  CHECK_THROWS_WITH_AS(painted({{3, 0}}, digit_images{}, random), "there is no image of the digit 3",
                       data_error);
}

TEST_CASE("missing and surplus words are wrong") {
  const std::vector<scene> scenes(4, scene{{1, 0}, {2, 4}});  // a one at the top left and a two in the middle
  const auto written = [](const std::string& text) { return caption{words_of(text), {}}; };
  const caption_score score =
      score_of({written("a one at the top left and a two in the middle"), written("a one at the top left"),
                written("a one at the top and a two in the middle"),
                written("a one at the top left and a two in the middle and")},
               scenes);
  CHECK(score.captions == 0.25);
  CHECK(score.words == doctest::Approx((12 + 6 + 5 + 12) / (12.0 + 12 + 12 + 13)));
}

TEST_CASE("pictures of a one or an eight are described") {
  backend::random_stream random(3, 0);
  std::vector<scene> learnt, unseen;
  for (int k = 0; k < 700; ++k)
    (k < 600 ? learnt : unseen)
        .push_back({{random.below(2) == 0 ? 1 : 8, static_cast<int>(random.below(9))}});
  const digit_images known = segment_digits(20, seed{4});
  const auto paint = [&](int row) { return painted(learnt[static_cast<std::size_t>(row)], known, random); };
  parameters<network> theta(seed{1});
  trainer<network, losses::cross_entropy<"logits">, optimizers::adam, batch<8>> teacher(theta);
  teacher.max_norm = 1;
  fit(teacher, with_captions(learnt, column<"picture">(600, paint)),
      {.epochs = 8,
       .shuffle = seed{3},
       .schedule = schedules::warm_up(20, schedules::cosine(3e-3)),
       .log = nullptr});

  const auto pictures = painted(unseen, segment_digits(10, seed{5}), seed{6});
  for (const int width : {1, 3}) {
    const auto written = written_captions(theta, pictures, width);
    CHECK(score_of(written, unseen).words > 0.9);
    for (const caption& one : written)
      for (const pixels& weights : one.weights) {
        CHECK(weights.size() == places);
        CHECK(std::accumulate(weights.begin(), weights.end(), 0.0) == doctest::Approx(1));
      }
    const std::string drawing = attention_svg({pictures[0]}, {written[0]});
    CHECK(drawing.find(">" + written[0].words[1] + "</text>") != std::string::npos);
  }
}
