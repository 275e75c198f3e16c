// The LSTM, with a gate removed, and with a forget gate that is open at the start.
#include "search.hpp"

using namespace tenon::nn;

std::vector<architecture_search::contestant> architecture_search::lstm_cells() {
  return {enter<cells::lstm>("LSTM"), enter<cells::lstm_f>("LSTM-f"), enter<cells::lstm_i>("LSTM-i"), enter<cells::lstm_o>("LSTM-o"), enter<cells::lstm_b>("LSTM-b")};
}
