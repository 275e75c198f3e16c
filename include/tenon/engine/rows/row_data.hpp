// The source of a session's rows: data_set, or a user's type with size() and set_inputs(session, rows).
#pragma once

#include "tenon/engine/rows/batches.hpp"
#include "tenon/engine/rows/unfit_part.hpp"

#include <concepts>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

namespace tenon::inline v0_1::engine {

template <class Data, class Session>
concept RowsFor = requires(const Data& data, Session& session, std::span<const int> rows) {
  { data.size() } -> std::convertible_to<int>;
  data.set_inputs(session, rows);
};

// Checks the data before it is used, if its type can do that: data_set and contiguous can.
template <class Session, class Data>
void check_all(const Data& data) {
  if constexpr (requires { data.template check_inputs<Session>(); }) data.template check_inputs<Session>();
}

// Sets the inputs of each batch of at most `batch` rows, in the order of the rows, and calls f() after each.
template <class Data, class Session, class F>
void for_each_batch_of(const Data& data, Session& session, F f, int batch = Session::plan::batch) {
  std::vector<int> all(static_cast<std::size_t>(data.size()));
  std::iota(all.begin(), all.end(), 0);
  for_each_batch(std::span<const int>(all), batch, [&](std::span<const int> rows) {
    data.set_inputs(session, rows);
    f();
  });
}

}  // namespace tenon::inline v0_1::engine
