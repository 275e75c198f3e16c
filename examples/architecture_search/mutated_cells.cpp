// The cells that the paper's search has found.
#include "search.hpp"

using namespace tenon::nn;

std::vector<architecture_search::contestant> architecture_search::mutated_cells() {
  return {enter<cells::mut1>("MUT1"), enter<cells::mut2>("MUT2"), enter<cells::mut3>("MUT3")};
}
