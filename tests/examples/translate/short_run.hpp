// A short training of a model of examples/translate on generated sentences: it learns, continues from a checkpoint, and
// translates with beams of any width.
#pragma once

#include "../../../examples/translate/translator.hpp"
#include "support/temporary_file.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <string>

namespace tenon::test {

// The weights of a word are at least least_sum together, over the words of the source.
template <class Model>
void check_short_run(double least_sum = 1 - 1e-5) {
  const translation::corpus known = translation::with_vocabularies(
      translation::made_sentences(160, seed{1}), translation::made_sentences(6, seed{2}), Model::size, 1);
  const file_with file(Model::name);
  std::remove(file.path.c_str());
  {
    translation::translator<Model> stopped(known);
    stopped.train(1, file.path, nullptr);
  }
  translation::translator<Model> whole(known);
  const auto history = whole.train(2, file.path, nullptr);
  REQUIRE(history.epochs.size() == 2);
  CHECK(history.epochs[1].loss < history.epochs[0].loss);
  const auto best = whole.translate(known.held_out, 5);
  {
    translation::translator<Model> done(known);  // does not train, because the checkpoint has all epochs
    CHECK(done.train(2, file.path, nullptr).last().loss == history.last().loss);
    const auto same = done.translate(known.held_out, 5);
    for (std::size_t k = 0; k < best.size(); ++k) CHECK(best[k].words == same[k].words);
  }
  REQUIRE(best.size() == 6);
  for (std::size_t k = 0; k < best.size(); ++k) {
    if (!Model::has_attention) continue;
    const io::heat_map map = whole.map_of(known.held_out.source[k], best[k]);
    REQUIRE(map.values.rows == map.rows.size());
    REQUIRE(map.values.columns == map.columns.size());
    for (std::size_t r = 0; r < map.rows.size(); ++r) {
      double sum = 0;
      for (std::size_t c = 0; c < map.columns.size(); ++c) sum += map.values(0, r, c);
      CHECK(sum > least_sum);
      CHECK(sum < 1 + 1e-5);
    }
  }
  const metric::bleu_report greedy = whole.judge(known.held_out, 1);
  CHECK(greedy.reference_length > 0);
  CHECK(greedy.score >= 0);
  CHECK_THROWS_WITH_AS(whole.translate(known.held_out, 51),
                       "beam_search: a width of 51 is more than the vocabulary of 48", input_error);
}

}  // namespace tenon::test
