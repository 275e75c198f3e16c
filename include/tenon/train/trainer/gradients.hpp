// update_gradients: the gradients of one update, from all its batches: cleared, added up with one scale, limited.
#pragma once

#include "tenon/backend/instruction_set.hpp"
#include "tenon/train/optimizers/accumulation.hpp"
#include "tenon/train/optimizers/clip.hpp"
#include "tenon/train/trainer/sparse_rows.hpp"

#include <algorithm>
#include <cstddef>

namespace tenon::inline v0_1::engine {
inline namespace TENON_INSTRUCTION_SET {

// Touched: touched_by<G, Plan>; in tables with sparse gradients only the touched rows are read. IsThere: the block is
// used in the backend's own memory.
template <class G, class Plan, class Touched, bool IsThere>
class update_gradients {
  using T = typename Plan::scalar;
  using device = typename Plan::backend;

 public:
  parameters<G, T> block{zeros{}};
  Touched touched{};  // by the batches since the last update

  // Call before the first batch of an update.
  void clear() requires IsThere { clear_on<device>(block); }
  void clear(T* all, std::ptrdiff_t from, std::ptrdiff_t end) const {
    touched.each(from, end,
                 [&](std::ptrdiff_t first, std::ptrdiff_t count) { std::fill_n(all + first, count, T(0)); });
  }
  void clear_touched() {
    if constexpr (Touched::is_sparse) touched.clear();
  }
  // See accumulated_positions. Call these before the first batch, before each batch is added, and after all are added.
  // count returns the factor that the gradients so far are scaled with.
  void start_counting() { positions_ = {}; }
  double count(double positions) {
    const double factor = positions_.add(positions);
    scale(data(), 0, size, factor);
    return factor;
  }
  void finish() { finish(data(), 0, size); }
  // Clips each gradient to [-most, most].
  void limit(double most) { limit(data(), 0, size, most); }

  // The same for the elements from `from` to before `end` of data(); calls for others may run at the same time.
  void finish(T* all, std::ptrdiff_t from, std::ptrdiff_t end) const {
    scale(all, from, end, positions_.mean());
  }
  void limit(T* all, std::ptrdiff_t from, std::ptrdiff_t end, double most) const {
    touched.each(from, end, [&](std::ptrdiff_t first, std::ptrdiff_t count) {
      if constexpr (IsThere) limit_elements(device{}, count, static_cast<T>(most), all + first);
      else limit_range(all + first, count, most);
    });
  }
  T* data() {
    if constexpr (IsThere) return data_on<device>(block);
    else return block.data();
  }

 private:
  static constexpr std::ptrdiff_t size = parameters<G, T>::learned_size;
  void scale(T* all, std::ptrdiff_t from, std::ptrdiff_t end, double factor) const {
    if (factor == 1) return;
    if constexpr (IsThere) {
      scale_elements(device{}, static_cast<int>(end - from), static_cast<T>(factor), all + from);
    } else {
      touched.each(from, end, [&](std::ptrdiff_t first, std::ptrdiff_t count) {
        scale_range(all + first, count, factor);
      });
    }
  }

  accumulated_positions positions_;
};

}  // namespace TENON_INSTRUCTION_SET
}  // namespace tenon::inline v0_1::engine
