// Written by hand on xsimd: the gates of one vector of units are side by side in the weights, their sums and the
// pointwise operations stay in registers; in a sequence the input product of four steps is computed at once or, if
// layers are small, in each step while it waits for its state.
#include "recurrent/work.hpp"
#include "support/modes.hpp"
#include "support/packed.hpp"
#include <tenon/tensor/memory.hpp>

#include <type_traits>

namespace bench {
namespace {

template <int N, cell Kind>
class hand_written : public contender {
  using lanes = lanes_of<N>;
  static constexpr int width = width_of<N>, gates = Kind == cell::lstm ? 4 : 3;
  static constexpr int tiles = tiles_of<N>, padded = tiles * width;
  static constexpr bool prepares = N > 24;
  static constexpr int sums = 4;  // LSTM: i, f, g, o; GRU: r, z, n from the input, n from the state
  packed_matrix<N, gates> from_input, from_state;
  packed_vector<N, sums> bias;
  alignas(64) float h[2][padded]{}, c[padded]{};
  int now = 0;
  const recurrent_work& work;
  tenon::engine::memory<float> ahead;  // sequence: W x + b [steps, tile, sum, lane]
  std::vector<float> y;                // and h of each step

  // Computes the new state of a vector of units from their four sums.
  [[gnu::always_inline]] static void finish(const lanes (&s)[sums], const float* h_before, float* c_of,
                                            float* h_after) {
    if constexpr (Kind == cell::lstm) {
      const lanes c_after = sigmoid_of(s[1]) * lanes::load_aligned(c_of) + sigmoid_of(s[0]) * tanh_of(s[2]);
      c_after.store_aligned(c_of);
      (sigmoid_of(s[3]) * tanh_of(c_after)).store_aligned(h_after);
    } else {
      const lanes n = tanh_of(xsimd::fma(sigmoid_of(s[0]), s[3], s[2])), z = sigmoid_of(s[1]);
      xsimd::fma(z, lanes::load_aligned(h_before) - n, n).store_aligned(h_after);
    }
  }
  // The sums that the gates of a matrix add to: a GRU's n from the state has its own sum.
  template <int Tiles, bool State>
  [[gnu::always_inline]] static void add_product(const packed_matrix<N, gates>& w, int tile, const float* x,
                                                 lanes (&s)[Tiles][sums]) {
    lanes of_gate[Tiles][gates];
    const auto each = [](auto f) __attribute__((always_inline)) {
      unrolled<Tiles>([&](auto t) __attribute__((always_inline)) {
        unrolled<gates>([&](auto g) __attribute__((always_inline)) {
          f(t, g, std::integral_constant < int, State&& Kind == cell::gru && g == 2 ? 3 : g > {});
        });
      });
    };
    each([&](auto t, auto g, auto to) { of_gate[t][g] = s[t][to]; });
    multiply<Tiles, gates, Tiles == 1 ? 3 : 1, N>(w.data + tile, x, of_gate);
    each([&](auto t, auto g, auto to) { s[t][to] = of_gate[t][g]; });
  }
  // given: the input, or W x + b.
  template <int Tiles, bool Prepared>
  [[gnu::always_inline]] void step_tiles(int tile, const float* given) {
    lanes s[Tiles][sums];
    unrolled<Tiles>([&](auto t) __attribute__((always_inline)) {
      unrolled<sums>([&](auto g) {
        s[t][g] =
            lanes::load_aligned(Prepared ? given + ((tile + t) * sums + g) * width : bias.data[tile + t][g]);
      });
    });
    if constexpr (!Prepared) add_product<Tiles, false>(from_input, tile, given, s);
    add_product<Tiles, true>(from_state, tile, h[now], s);
    unrolled<Tiles>([&](auto t) __attribute__((always_inline)) {
      finish(s[t], h[now] + (tile + t) * width, c + (tile + t) * width, h[1 - now] + (tile + t) * width);
    });
  }
  template <bool Prepared>
  void step(const float* given) {
    int tile = 0;
    for (; tile + 2 <= tiles; tile += 2) step_tiles<2, Prepared>(tile, given);
    if constexpr (tiles % 2 == 1) step_tiles<1, Prepared>(tile, given);
    now = 1 - now;
  }
  // W x + b of four steps at once
  void prepare() {
    for (int t = 0; t < work.steps; t += 4)
      for (int tile = 0; tile < tiles; ++tile) {
        lanes s[4][gates];
        const auto each = [](auto f) __attribute__((always_inline)) {
          unrolled<gates>([&](auto g) __attribute__((always_inline)) {
            unrolled<4>([&](auto u) __attribute__((always_inline)) { f(u, g); });
          });
        };
        each([&](auto u, auto g) { s[u][g] = lanes::load_aligned(bias.data[tile][g]); });
        multiply_rows(from_input.data[tile], work.x.data() + t * N, s);
        const auto place = [&](int u, int g) {
          return ahead.data() + (((t + u) * tiles + tile) * sums + g) * width;
        };
        each([&](auto u, auto g) { s[u][g].store_aligned(place(u, g)); });
        if constexpr (Kind == cell::gru)
          for (int u = 0; u < 4; ++u) lanes::load_aligned(bias.data[tile][3]).store_aligned(place(u, 3));
      }
  }

 public:
  explicit hand_written(const recurrent_work& w) : work(w) {
    for (int g = 0; g < gates; ++g) {
      from_input.set(w.weight_ih, g, g);
      from_state.set(w.weight_hh, g, g);
      bias.add(w.bias_ih, g, g);
      bias.add(w.bias_hh, g, Kind == cell::gru && g == 2 ? 3 : g);
    }
    if (w.steps > 1) {
      ahead = tenon::engine::memory<float>(static_cast<std::size_t>(w.steps * tiles * sums * width));
      y.resize(static_cast<std::size_t>(w.steps * N));
    }
  }
  void reset() override {
    std::fill_n(h[0], padded, 0.f);
    std::fill_n(h[1], padded, 0.f);
    std::fill_n(c, padded, 0.f);
  }
  void run() override {
    if (work.steps == 1) return step<false>(work.x.data());
    reset();
    if constexpr (prepares) prepare();
    for (int t = 0; t < work.steps; ++t) {
      if constexpr (prepares) step<true>(ahead.data() + t * tiles * sums * width);
      else step<false>(work.x.data() + t * N);
      std::copy_n(h[now], N, y.data() + t * N);
    }
  }
  std::span<const float> output() const override {
    if (work.steps == 1) return {h[now], N};
    return y;
  }
};

template <template <class> class As>
std::unique_ptr<contender> make(const recurrent_work& w) {
  std::unique_ptr<contender> made;
  with_recurrent_size(w.size, [&]<int N>() {
    if (w.kind == cell::lstm) made = std::make_unique<As<hand_written<N, cell::lstm>>>(w);
    else made = std::make_unique<As<hand_written<N, cell::gru>>>(w);
  });
  return made;
}
std::unique_ptr<contender> make_setting_modes(const recurrent_work& w) {
  return w.steps == 1 && w.size <= 64 ? make<setting_modes>(w) : nullptr;
}

const bool entered = recurrent_contest::enter("xsimd by hand", 1, make<std::type_identity_t>) &&
                     recurrent_contest::enter("xsimd by hand, setting modes", 1, make_setting_modes);

}  // namespace
}  // namespace bench
