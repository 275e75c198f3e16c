// The abilities of a backend as words: each by its name, "yes", a number or nothing.
#pragma once

#include "tenon/engine/plan/abilities.hpp"

#include <string>
#include <utility>
#include <vector>

namespace tenon::test {

inline std::vector<std::pair<std::string, std::string>> words_of(const engine::abilities& can) {
  const auto word = [](bool is_there) { return std::string(is_there ? "yes" : ""); };
  const auto number = [](long n) { return n > 0 ? std::to_string(n) : std::string(); };
  return {{"multiplies_tables", word(can.multiplies_tables)},
          {"accumulates_in_maps", word(can.accumulates_in_maps)},
          {"accumulates_in_products", word(can.accumulates_in_products)},
          {"reads_callers_adjoints", word(can.reads_callers_adjoints)},
          {"takes_maps_of_rows", word(can.takes_maps_of_rows)},
          {"each_sequence", word(can.each_sequence)},
          {"gradient_sums", word(can.gradient_sums)},
          {"pass_rows", word(can.pass_rows)},
          {"clear_blocks", word(can.clear_blocks)},
          {"pack_stage_vectors", word(can.pack_stage_vectors)},
          {"most_multiplied_neighbours", number(can.most_multiplied_neighbours)},
          {"numbers_in_block", number(can.numbers_in_block)},
          {"limits_of_stages", word(can.limits_of_stages != nullptr)},
          {"limits_of_stages_of_steps", word(can.limits_of_stages_of_steps != nullptr)},
          {"limits_of_loops", word(can.limits_of_loops != nullptr)},
          {"limits_of_sharing", word(can.sharing.exist())},
          {"lanes_of_pairs", word(can.lanes_of_pairs != nullptr)}};
}

}  // namespace tenon::test
