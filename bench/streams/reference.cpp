// The formulas as plain loops, sample by sample, with a ring of earlier rows for each layer.
#include "streams/work.hpp"

#include <array>

namespace bench {
namespace {

class by_hand : public contender {
 public:
  explicit by_hand(const streams_work& w) : work_(w), heard_(w.samples.size()) {
    for (int l = 0; l < streams_work::layers; ++l) {
      const std::string node{l < 10 ? 'a' : 'b', static_cast<char>('0' + l % 10)};
      layers_.push_back({w.weight(node, "weight"), w.weight(node, "bias"), nullptr, nullptr, {}});
      if (l + 1 == streams_work::layers) break;
      layers_.back().mapping = w.weight(node + ".mapped", "weight");
      layers_.back().mapping_bias = w.weight(node + ".mapped", "bias");
    }
  }
  void run() override {
    for (int l = 0; l < streams_work::layers; ++l)
      layers_[std::size_t(l)].earlier.assign(std::size_t(1 + 2 * streams_work::dilation(l)), {});
    for (std::size_t t = 0; t < heard_.size(); ++t) heard_[t] = play(t);
  }
  std::span<const float> output() const override { return heard_; }

 private:
  using row = std::array<float, 16>;
  struct layer {
    const float *weight, *bias, *mapping, *mapping_bias;
    std::vector<row> earlier;
  };
  static void map(const float* weight, const float* bias, int out, int in, const row& x, row& y) {
    for (int n = 0; n < out; ++n) {
      float sum = bias[n];
      for (int j = 0; j < in; ++j) sum += weight[n * in + j] * x[std::size_t(j)];
      y[std::size_t(n)] = sum;
    }
  }
  float play(std::size_t t) {
    row x{work_.samples[t]}, head{}, next{};
    map(work_.weight("wide", "weight"), work_.weight("wide", "bias"), 16, 1, x, next);
    x = next;
    for (int l = 0; l < streams_work::layers; ++l) {
      if (l == 10) {
        map(narrow_[0], narrow_[1], 8, 16, x, next);
        x = next;
        map(head_[0], head_[1], 8, 16, head, next);
        head = next;
      }
      layer& mine = layers_[std::size_t(l)];
      const int C = streams_work::channels(l);
      const std::size_t room = mine.earlier.size(), back = std::size_t(streams_work::dilation(l));
      mine.earlier[t % room] = x;
      row active{};
      for (int n = 0; n < C; ++n) {
        float sum = mine.bias[n];
        for (std::size_t k = 0; k < 3; ++k) {
          const row& then = mine.earlier[(t + room - (2 - k) * back) % room];
          for (int j = 0; j < C; ++j) sum += mine.weight[(n * 3 + int(k)) * C + j] * then[std::size_t(j)];
        }
        active[std::size_t(n)] = std::tanh(sum);
      }
      for (int n = 0; n < C; ++n) head[std::size_t(n)] += active[std::size_t(n)];
      if (mine.mapping == nullptr) break;
      map(mine.mapping, mine.mapping_bias, C, C, active, next);
      for (int n = 0; n < C; ++n) x[std::size_t(n)] += next[std::size_t(n)];
    }
    map(work_.weight("out", "weight"), work_.weight("out", "bias"), 1, 8, head, next);
    return next[0];
  }

  const streams_work& work_;
  std::vector<layer> layers_;
  const float* const narrow_[2]{work_.weight("narrow", "weight"), work_.weight("narrow", "bias")};
  const float* const head_[2]{work_.weight("head", "weight"), work_.weight("head", "bias")};
  std::vector<float> heard_;
};

const bool entered = streams_contest::enter(
    "naive reference", 9,
    [](const streams_work& w) -> std::unique_ptr<contender> { return std::make_unique<by_hand>(w); });

}  // namespace
}  // namespace bench
