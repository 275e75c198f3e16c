// The abilities of a backend are found by its tag's functions, in whichever namespace and order they are declared.
#include "tenon/engine/plan/abilities.hpp"

#include "support/declared_abilities.hpp"
#include "tenon/backend/cpu/cpu.hpp"
#include "tenon/backend/reference/reference.hpp"

#include <doctest/doctest.h>

using namespace tenon;

namespace workshop {
struct plain : backend::reference {};
struct able : backend::reference {};
constexpr bool multiplies_tables(able) { return true; }
constexpr bool accumulates_in_maps(able) { return false; }
constexpr bool accumulates_in_products(able) { return true; }
constexpr int most_multiplied_neighbours(able) { return 5; }
constexpr ir::stage_limits limits_of_stages(able, int rows) { return {.sums = rows}; }
constexpr int lanes_of_pairs(able, long pairs, long steps) { return static_cast<int>(pairs + steps); }
template <class T>
void clear_blocks(able, int, const backend::block_of_numbers<T>*) {}
struct abler : able {};  // inherits what it does not declare
constexpr int most_multiplied_neighbours(abler) { return 7; }

// A count of the backend's own type: a number, or where one is in memory.
struct counted {
  constexpr counted(long n) : number(n) {}
  constexpr counted(const int* at) : found_at(at) {}
  long number = 0;
  const int* found_at = nullptr;
};
struct several : backend::reference {};  // does several at once
void each_sequence(several, counted rows, const int* lengths, int steps, const int* inner_lengths,
                   int inner_steps, void (*run)(int, int, int));
template <class T>
void gradient_sums(several, counted rows, int count, const backend::column_sums<T>* sums);
template <class T>
void pass_rows(several, bool active, int t, counted rows, const int* lengths, int count,
               const backend::passed_rows<T>* all);
template <int D, class T>
void pack_stage_vectors(several, int packed_count, int count, const backend::stage_vector<T>* vectors,
                        T* packed);
constexpr long numbers_in_block(several) { return 11; }
constexpr ir::stage_limits limits_of_stages_of_steps(several, counted rows, int steps) {
  return {.sums = static_cast<int>(rows.number), .weights = steps};
}
constexpr ir::sharing_limits limits_of_sharing(several) { return {.multiply_adds = 6, .numbers_at_once = 2}; }
constexpr ir::loop_limits limits_of_loops(several, counted rows) { return {.weights = rows.number}; }
}  // namespace workshop

constexpr const engine::abilities& of_plain = engine::abilities_of<workshop::plain>;
constexpr const engine::abilities& of_able = engine::abilities_of<workshop::able, double>;
static_assert(!of_plain.multiplies_tables && !of_plain.accumulates_in_products &&
              of_plain.limits_of_stages == nullptr && of_plain.lanes_of_pairs == nullptr);
static_assert(of_able.multiplies_tables && !of_able.accumulates_in_maps && of_able.accumulates_in_products &&
              of_able.clear_blocks && !of_able.pass_rows);
static_assert(of_able.most_multiplied_neighbours == 5 && of_able.numbers_in_block == 0);
static_assert(of_able.limits_of_stages(3).sums == 3 && of_able.limits_of_stages_of_steps == nullptr);
static_assert(of_able.lanes_of_pairs(4, 2) == 6 && of_able.limits_of_loops == nullptr);
static_assert(engine::abilities_of<workshop::abler>.most_multiplied_neighbours == 7);
static_assert(engine::abilities_of<workshop::abler>.multiplies_tables);

constexpr const engine::abilities& of_several = engine::abilities_of<workshop::several>;
static_assert(of_several.each_sequence && of_several.gradient_sums && of_several.pass_rows &&
              of_several.pack_stage_vectors && of_several.numbers_in_block == 11);
static_assert(!of_several.clear_blocks && !of_several.takes_maps_of_rows && !of_several.multiplies_tables &&
              of_several.limits_of_stages == nullptr && of_several.lanes_of_pairs == nullptr);
static_assert(of_several.limits_of_loops(5).weights == 5);
static_assert(!of_able.sharing.exist() && of_several.sharing.exist() &&
              of_several.sharing.multiply_adds == 6 && of_several.sharing.numbers_at_once == 2);
static_assert(of_several.limits_of_stages_of_steps(5, 7).sums == 5 &&
              of_several.limits_of_stages_of_steps(5, 7).weights == 7);
static_assert(!of_able.each_sequence && !of_able.gradient_sums && !of_able.pack_stage_vectors);

TEST_CASE("the reference has none, the CPU some") {
  for (const auto& [name, word] : test::words_of(engine::abilities_of<backend::reference>)) {
    CAPTURE(name);
    CHECK(word == "");
  }
  int declared = 0;
  for (const auto& [name, word] : test::words_of(engine::abilities_of<backend::cpu>))
    declared += !word.empty();
  CHECK(declared >= 6);
}
