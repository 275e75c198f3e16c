// Which rows run together: every row once an epoch, in a new order each time; rows of similar length in one batch.
#include "tenon/engine/rows/batches.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <list>
#include <map>
#include <set>

namespace tenon::test {

using rows = std::vector<int>;

TEST_CASE("an epoch's order is a permutation; seed and epoch decide it") {
  const rows order = shuffled(100, seed{7}, 1);
  CHECK(std::set<int>(order.begin(), order.end()).size() == 100);
  CHECK(*std::min_element(order.begin(), order.end()) == 0);
  CHECK(*std::max_element(order.begin(), order.end()) == 99);
  CHECK(order == shuffled(100, seed{7}, 1));
  CHECK(order != shuffled(100, seed{7}, 2));
  CHECK(order != shuffled(100, seed{8}, 1));
  CHECK(shuffled(0, {}, 1).empty());
  CHECK_THROWS_WITH_AS(shuffled(-1, {}, 1), "shuffled: expected a number of rows, got -1", input_error);
  CHECK(shuffled(1, {}, 1) == rows{0});
}

TEST_CASE("every order of three rows is as likely as any other") {
  std::map<rows, int> seen;
  for (int epoch = 0; epoch < 6000; ++epoch) ++seen[shuffled(3, seed{1}, epoch)];
  CHECK(seen.size() == 6);
  for (const auto& [order, times] : seen) CHECK(std::abs(times - 1000) < 150);  // five standard deviations
}

TEST_CASE("for_each_batch gives consecutive batches, the last one smaller") {
  const rows all{5, 3, 1, 4, 2};
  std::vector<rows> seen;
  const auto keep = [&](std::span<const int> batch) { seen.emplace_back(batch.begin(), batch.end()); };
  for_each_batch(all, 2, keep);
  CHECK(seen == std::vector<rows>{{5, 3}, {1, 4}, {2}});
  seen.clear();
  for_each_batch(all, 5, keep);
  CHECK(seen == std::vector<rows>{all});
  seen.clear();
  for_each_batch(std::list<unsigned>{1, 2, 3}, 5, keep);  // any range of whole numbers
  CHECK(seen == std::vector<rows>{{1, 2, 3}});
  seen.clear();
  for_each_batch(std::span<const int>(), 5, keep);
  CHECK(seen.empty());
  CHECK_THROWS_WITH_AS(for_each_batch(all, 0, keep),
                       "for_each_batch: a batch needs a positive number of rows, got 0", input_error);
}

// A hundred rows, of lengths 0 to 36 that do not follow the order of the rows.
constexpr int count = 103, batch_size = 8, group = 4;
int length_of(int row) { return row * row % 37; }
std::vector<rows> batches(const tenon::detail::batching& how, seed s, int epoch) {
  return engine::batches_of_epoch(count, batch_size, how, s, epoch, length_of);
}
std::multiset<int> rows_in(const std::vector<rows>& all) {
  std::multiset<int> found;
  for (const rows& batch : all) found.insert(batch.begin(), batch.end());
  return found;
}
std::multiset<int> each_once() {
  std::multiset<int> all;
  for (int r = 0; r < count; ++r) all.insert(r);
  return all;
}

TEST_CASE("batches that are not sorted follow the shuffled order, and ask for no length") {
  const auto asked = [](int) -> int { throw std::logic_error("a length was asked for"); };
  for (const tenon::detail::batching& how : {tenon::detail::batching{}, similar_length(1)}) {
    rows joined;
    for (const rows& batch : engine::batches_of_epoch(count, batch_size, how, seed{3}, 2, asked))
      joined.insert(joined.end(), batch.begin(), batch.end());
    CHECK(joined == shuffled(count, seed{3}, 2));
  }
}

TEST_CASE("batches of similar length have every row once, and one batch alone is smaller") {
  for (int epoch = 1; epoch < 5; ++epoch) {
    const std::vector<rows> all = batches(similar_length(group), seed{5}, epoch);
    CHECK(rows_in(all) == each_once());
    CHECK(all.size() == (count + batch_size - 1) / batch_size);
    int smaller = 0;
    for (const rows& batch : all) smaller += batch.size() != batch_size;
    CHECK(smaller == 1);
  }
}

TEST_CASE("within a group no row of a shorter batch is longer than one of a longer batch") {
  const rows order = shuffled(count, seed{5}, 3);  // a group consists of several of these batches
  std::map<int, int> group_of;
  for (int k = 0; k < count; ++k) group_of[order[static_cast<std::size_t>(k)]] = k / (batch_size * group);
  std::map<int, std::vector<std::pair<int, int>>> spans;  // by group: the shortest and longest of each batch
  for (const rows& batch : batches(similar_length(group), seed{5}, 3)) {
    int shortest = 1000, longest = -1;
    for (int r : batch) {
      CHECK(group_of[r] == group_of[batch[0]]);
      shortest = std::min(shortest, length_of(r));
      longest = std::max(longest, length_of(r));
    }
    spans[group_of[batch[0]]].emplace_back(shortest, longest);
  }
  CHECK(spans.size() == 4);
  for (auto& [g, of_group] : spans) {
    CHECK(of_group.size() == (g < 3 ? 4 : 1));
    std::sort(of_group.begin(), of_group.end());
    for (std::size_t k = 1; k < of_group.size(); ++k) CHECK(of_group[k - 1].second <= of_group[k].first);
  }
}

TEST_CASE("with one group for all rows the batches are those of the sorted rows") {
  std::vector<int> sorted;
  for (int r = 0; r < count; ++r) sorted.push_back(length_of(r));
  std::sort(sorted.begin(), sorted.end());
  std::multiset<std::vector<int>> expected, got;
  for (std::size_t k = 0; k < sorted.size(); k += batch_size)
    expected.emplace(sorted.begin() + static_cast<std::ptrdiff_t>(k),
                     sorted.begin() + static_cast<std::ptrdiff_t>(std::min(k + batch_size, sorted.size())));
  for (const rows& batch : batches(similar_length(1000), seed{5}, 3)) {
    std::vector<int> lengths;
    for (int r : batch) lengths.push_back(length_of(r));
    std::sort(lengths.begin(), lengths.end());
    got.insert(lengths);
  }
  CHECK(got == expected);
}

TEST_CASE("batches of similar length come in an order that seed and epoch decide, not by length") {
  const auto first = batches(similar_length(1000), seed{5}, 3);
  CHECK(first == batches(similar_length(1000), seed{5}, 3));
  CHECK(first != batches(similar_length(1000), seed{6}, 3));
  CHECK(first != batches(similar_length(1000), seed{5}, 4));
  std::map<int, int> lead;  // the position of the batch of the longest rows
  for (int epoch = 0; epoch < 200; ++epoch) {
    const auto all = batches(similar_length(1000), seed{5}, epoch);
    for (std::size_t k = 0; k < all.size(); ++k)
      if (length_of(all[k][0]) >= 30) {
        ++lead[static_cast<int>(k)];
        break;
      }
  }
  CHECK(lead.size() >= 5);
  for (const auto& [place, times] : lead) CHECK(times < 150);
}

TEST_CASE("a group of no batches is an error, and there are no batches of no rows") {
  CHECK(similar_length().sorted_together == 20);
  CHECK_THROWS_WITH_AS(similar_length(0), "similar_length: expected at least 1 batch, got 0", input_error);
  CHECK(engine::batches_of_epoch(0, 4, similar_length(), {}, 1, length_of).empty());
}

TEST_CASE("rows of equal length run together as they are shuffled, with others in each epoch") {
  const auto alike = [](int) { return 3; };
  std::set<std::set<int>> seen;
  for (int epoch = 1; epoch < 5; ++epoch) {
    std::set<std::set<int>> expected, got;
    for_each_batch(shuffled(count, seed{5}, epoch), batch_size,
                   [&](std::span<const int> batch) { expected.emplace(batch.begin(), batch.end()); });
    for (const rows& batch :
         engine::batches_of_epoch(count, batch_size, similar_length(1000), seed{5}, epoch, alike))
      got.emplace(batch.begin(), batch.end());
    CHECK(got == expected);
    seen.insert(got.begin(), got.end());
  }
  CHECK(seen.size() == 4 * 13);
}

}  // namespace tenon::test
