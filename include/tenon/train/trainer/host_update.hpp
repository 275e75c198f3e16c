// host_update: an update in memory that the program sees, after all its batches: the sum of the gradients is finished and clipped, and the
// rule is applied. Whatever is done to each number is shared: by slices of shards<N>, or by the threads of a session.
#pragma once

#include "tenon/backend/instruction_set.hpp"
#include "tenon/engine/refusals/argument_errors.hpp"
#include "tenon/engine/session/access.hpp"
#include "tenon/train/optimizers/clip.hpp"
#include "tenon/train/trainer/step_queue.hpp"

#include <cmath>
#include <cstddef>

namespace tenon::inline v0_1::engine {
inline namespace TENON_INSTRUCTION_SET {

template <class Parts>
class host_update;
template <class Session, class Update, class Gradients, class Parameters>
class host_update<step_parts<Session, Update, Gradients, Parameters>> {
  using parts = step_parts<Session, Update, Gradients, Parameters>;
  using T = typename Session::T;
  static constexpr bool is_cut = IsCut<Session>;
  static constexpr std::ptrdiff_t size = Parameters::learned_size;

 public:
  // Call it before the first batch.
  static void clear(const parts& p) {
    T* const gradients = p.gradients.data();
    if constexpr (is_cut) p.gradients.clear(gradients, 0, size);
    else
      each_slice(p,
                 [&](std::ptrdiff_t from, std::ptrdiff_t end) { p.gradients.clear(gradients, from, end); });
    p.gradients.clear_touched();
  }
  // Returns the sum of the norms that are limited. If it is not finite, the parameters stay as they are.
  static double run(const parts& p) {
    T *const weights = p.theta.data(), *const gradients = p.gradients.data();
    const auto finish = [&](std::ptrdiff_t from, std::ptrdiff_t end) {
      p.gradients.finish(gradients, from, end);
      if (p.max_value > 0) p.gradients.limit(gradients, from, end, p.max_value);
    };
    if constexpr (is_cut) p.session.sum_update(p.gradients.block, p.gradients.touched, finish);
    else each_slice(p, finish);
    const double norms = clip(p, gradients);
    if (!std::isfinite(norms)) return norms;
    p.optimizer.check_rate();
    each_slice(p, [&](std::ptrdiff_t from, std::ptrdiff_t end) {
      [[maybe_unused]] const auto mode = backend::begin<typename Session::plan::backend>();
      p.optimizer.apply_between(from, end, weights, gradients, p.gradients.touched);
    });
    if constexpr (is_cut) p.session.gather_slices(weights, p.gradients.touched);
    p.optimizer.count_step();
    return norms;
  }

 private:
  template <class F>
  static void each_slice(const parts& p, F f) {
    if constexpr (is_cut) p.session.each_slice(f);
    else access::each_slice(p.session, size, f);
  }
  static double clip(const parts& p, T* gradients) {
    double norms = 0;
    for (int limit = 0; limit < p.optimizer.limits(); ++limit) {
      const double most = p.optimizer.most(limit, p.max_norm);
      if (!(most > 0)) continue;
      const double norm = std::sqrt(squares(p, limit, gradients)), factor = clipping_factor(norm, most);
      norms += norm;
      if (factor < 1)
        each_slice(p, [&](std::ptrdiff_t from, std::ptrdiff_t end) {
          p.optimizer.scale(limit, gradients, p.gradients.touched, from, end, factor);
        });
    }
    return norms;
  }
  // Its order does not depend on the number of threads.
  static double squares(const parts& p, int limit, const T* gradients) {
    const auto of = [&](std::ptrdiff_t from, std::ptrdiff_t end) {
      return p.optimizer.squares(limit, gradients, p.gradients.touched, from, end);
    };
    if constexpr (is_cut) return p.session.sum_of_slices(of);
    else return of(0, size);
  }
};

}  // namespace TENON_INSTRUCTION_SET
}  // namespace tenon::inline v0_1::engine
