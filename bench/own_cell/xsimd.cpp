// Written by hand on xsimd. Everything that depends only on the input is computed ahead, z and tanh(W_h x) with their
// exponentials: in a sequence for four steps at once, or step by step if layers are small. The state needs two passes:
// r h, and the new state.
#include "own_cell/work.hpp"
#include "support/modes.hpp"
#include "support/packed.hpp"
#include <tenon/tensor/memory.hpp>

#include <type_traits>

namespace bench {
namespace {

template <int N>
class hand_written : public contender {
  using lanes = lanes_of<N>;
  static constexpr int width = width_of<N>, tiles = tiles_of<N>, padded = tiles * width;
  static constexpr bool in_fours = N > 24;
  static constexpr int group = tiles % 4 == 0 ? 4 : tiles % 2 == 0 ? 2 : 1;  // tiles in one pass
  enum ahead_of { z, r, c };                     // z; the terms added to U_r h and to U_h (r h)
  packed_matrix<N, 3> from_input;                // W_z, W_r, W_h
  packed_group<N, group> reset_gate, candidate;  // U_r, U_h
  packed_vector<N, 3> bias;
  alignas(64) float h[padded]{}, reset_h[padded]{};
  const own_cell_work& work;
  tenon::engine::memory<float> ahead;  // [steps, tile, 3, lane]
  std::vector<float> y;                // [steps, N]

  [[gnu::always_inline]] float* ahead_at(int step, int tile, int what) {
    return ahead.data() + ((step * tiles + tile) * 3 + what) * width;
  }
  [[gnu::always_inline]] void finish_ahead(int step, int tile, const lanes (&s)[3]) {
    sigmoid_of(s[z] + lanes::load_aligned(bias.data[tile][z])).store_aligned(ahead_at(step, tile, z));
    (s[r] + lanes::load_aligned(bias.data[tile][r])).store_aligned(ahead_at(step, tile, r));
    (tanh_of(s[c]) + lanes::load_aligned(bias.data[tile][c])).store_aligned(ahead_at(step, tile, c));
  }
  void prepare_four(int step) {
    for (int tile = 0; tile < tiles; ++tile) {
      lanes s[4][3];
      unrolled<4>([&](auto u) { unrolled<3>([&](auto g) { s[u][g] = lanes(0.f); }); });
      multiply_rows(from_input.data[tile], work.x.data() + step * N, s);
      unrolled<4>([&](auto u) __attribute__((always_inline)) { finish_ahead(step + u, tile, s[u]); });
    }
  }
  void prepare_one(int step) {
    for (int tile = 0; tile < tiles; ++tile) {
      lanes s[1][3];
      unrolled<3>([&](auto g) { s[0][g] = lanes(0.f); });
      multiply<1, 3, 4, N>(from_input.data + tile, work.x.data() + step * N, s);
      finish_ahead(step, tile, s[0]);
    }
  }
  // Calls f(tile, ahead[what] + w x) for each tile.
  template <class F>
  [[gnu::always_inline]] void multiply_all(const packed_group<N, group>& w, const float* by, int t, int what,
                                           F f) {
    for (int g = 0; g < w.groups; ++g) {
      lanes s[1][group];
      unrolled<group>([&](auto k) { s[0][k] = lanes::load_aligned(ahead_at(t, g * group + k, what)); });
      multiply<1, group, 8 / group, N>(w.data + g, by, s);
      unrolled<group>([&](auto k) __attribute__((always_inline)) { f(g * group + k, s[0][k]); });
    }
  }
  void step(int t) {
    multiply_all(
        reset_gate, h, t, r, [&](int tile, lanes s) __attribute__((always_inline)) {
          (sigmoid_of(s) * lanes::load_aligned(h + tile * width)).store_aligned(reset_h + tile * width);
        });
    multiply_all(
        candidate, reset_h, t, c, [&](int tile, lanes s) __attribute__((always_inline)) {
          float* const own = h + tile * width;
          const lanes before = lanes::load_aligned(own), share = lanes::load_aligned(ahead_at(t, tile, z));
          xsimd::fma(share, tanh_of(s) - before, before).store_aligned(own);
        });
  }

 public:
  explicit hand_written(const own_cell_work& w)
      : work(w),
        ahead(static_cast<std::size_t>(w.steps * tiles * 3 * width)),
        y(static_cast<std::size_t>(w.steps * N)) {
    const auto of = [&](const char* symbol) -> const std::vector<float>& {
      return w.weights.find(symbol)->second;
    };
    from_input.set(of("W_z"), 0, z);
    from_input.set(of("W_r"), 0, r);
    from_input.set(of("W_h"), 0, c);
    reset_gate.set(of("U_r"));
    candidate.set(of("U_h"));
    bias.add(of("b_z"), 0, z);
    bias.add(of("b_r"), 0, r);
    bias.add(of("b_h"), 0, c);
  }
  void reset() override { std::fill(std::begin(h), std::end(h), 0.f); }
  void run() override {
    if (work.steps == 1) {
      prepare_one(0);
      return step(0);
    }
    reset();
    for (int t = 0; in_fours && t < work.steps; t += 4) prepare_four(t);
    for (int t = 0; t < work.steps; ++t) {
      if constexpr (!in_fours) prepare_one(t);
      step(t);
      std::copy_n(h, N, y.data() + t * N);
    }
  }
  std::span<const float> output() const override {
    if (work.steps == 1) return {h, N};
    return y;
  }
};

template <template <class> class As>
std::unique_ptr<contender> make(const own_cell_work& w) {
  std::unique_ptr<contender> made;
  with_own_cell_size(w.size, [&]<int N>() { made = std::make_unique<As<hand_written<N>>>(w); });
  return made;
}
std::unique_ptr<contender> make_setting_modes(const own_cell_work& w) {
  return w.steps == 1 && w.size <= 64 ? make<setting_modes>(w) : nullptr;
}

const bool entered = own_cell_contest::enter("xsimd by hand", 1, make<std::type_identity_t>) &&
                     own_cell_contest::enter("xsimd by hand, setting modes", 1, make_setting_modes);

}  // namespace
}  // namespace bench
