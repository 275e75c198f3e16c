#include "own_cell/tenon.hpp"

namespace bench {
namespace {

std::unique_ptr<contender> with_modes(const own_cell_work& w) {
  std::unique_ptr<contender> made;
  if (w.steps == 1)
    with_size<8, 16, 32, 64>(w.size, [&]<int N>() {
      made = std::make_unique<with_modes_set<tenon_step<N, tenon::backend::cpu>>>(w);
    });
  return made;
}

const bool entered = own_cell_contest::enter("Tenon", 0, make_tenon<tenon::backend::cpu>) &&
                     own_cell_contest::enter("Tenon, modes set before", 1, with_modes);

}  // namespace
}  // namespace bench
