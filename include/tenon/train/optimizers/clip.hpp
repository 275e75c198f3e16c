// Clipping of gradients, by their norm over all parameters (Pascanu et al. 2013) or by value.
#pragma once

#include "tenon/backend/instruction_set.hpp"
#include "tenon/backend/operand.hpp"
#include "tenon/diagnostics/number_text.hpp"
#include "tenon/parameters/parameters.hpp"

#include <cmath>
#include <cstddef>
#include <string>

namespace tenon::inline v0_1 {

namespace engine {
inline void check_limit(double most, const char* of) {
  if (!(most >= 0))
    throw input_error(std::string(of) + ": expected a limit of at least 0, got " +
                      tenon::detail::fixed(most));
}

inline namespace TENON_INSTRUCTION_SET {
// Sums run in sixteen lanes in a fixed order, so that the result is always the same on one processor. On another, sums
// of doubles may differ: there a square and its addition may be one operation, which rounds once.
template <class T>
double sum_of_squares(const T* x, std::ptrdiff_t count) {
  constexpr int lanes = 16;
  double sums[lanes]{};
  std::ptrdiff_t i = 0;
  for (; i + lanes <= count; i += lanes)
    for (int k = 0; k < lanes; ++k) sums[k] += double(x[i + k]) * double(x[i + k]);
  for (int k = 0; i + k < count; ++k) sums[k] += double(x[i + k]) * double(x[i + k]);
  double total = 0;
  for (double s : sums) total += s;
  return total;
}
template <class T>
void scale_range(T* x, std::ptrdiff_t count, double factor) {
  for (std::ptrdiff_t i = 0; i < count; ++i) x[i] *= static_cast<T>(factor);
}
template <class T>
void limit_range(T* x, std::ptrdiff_t count, double most) {
  const T limit = static_cast<T>(most);
  for (std::ptrdiff_t i = 0; i < count; ++i) x[i] = x[i] < -limit ? -limit : x[i] > limit ? limit : x[i];
}
// What a gradient of this norm is multiplied with, if it is below 1 (as PyTorch does).
inline double clipping_factor(double norm, double most) { return most / (norm + 1e-6); }
// The same in a backend's own memory: the norm is one of the run's numbers, for which the program does not wait.
template <class Backend, class T, class Each>
void clip_pieces_there(T* block, Each each, double most, backend::run_numbers* numbers) {
  bool continues = false;
  each([&](std::ptrdiff_t from, std::ptrdiff_t count) {
    const T* const piece = block + from;
    sum_squares(Backend{}, count, piece, continues, numbers);
    continues = true;
  });
  const backend::run_numbers* const summed = numbers;
  each([&](std::ptrdiff_t from, std::ptrdiff_t count) {
    scale_to_norm(Backend{}, count, most, summed, block + from);
  });
}
}  // namespace TENON_INSTRUCTION_SET
}  // namespace engine

namespace optimizers::inline TENON_INSTRUCTION_SET {

// The 2-norm of the gradients of all parameters.
template <class G, class T>
double global_norm(const parameters<G, T>& gradients) {
  return std::sqrt(engine::sum_of_squares(gradients.data(), parameters<G, T>::block_size));
}

// Scales all gradients by most / (norm + 1e-6) if that is less than 1, as PyTorch does; returns the norm before. Throws
// input_error for a negative limit, as clip_value does.
template <class G, class T>
double clip_norm(parameters<G, T>& gradients, double most) {
  engine::check_limit(most, "clip_norm");
  const double norm = global_norm(gradients), factor = engine::clipping_factor(norm, most);
  if (factor < 1) engine::scale_range(gradients.data(), parameters<G, T>::block_size, factor);
  return norm;
}

// Moves every entry into [-most, most].
template <class G, class T>
void clip_value(parameters<G, T>& gradients, double most) {
  engine::check_limit(most, "clip_value");
  engine::limit_range(gradients.data(), parameters<G, T>::block_size, most);
}

}  // namespace optimizers::inline TENON_INSTRUCTION_SET
}  // namespace tenon::inline v0_1
