// In blocks with Eigen, as programs of this field are written: each layer keeps its input in a long buffer, a column for each sample, multiplies
// the columns of a block for each tap, and begins at the front of the buffer again where it ends.
#include "streams/work.hpp"

#include <Eigen/Core>

namespace bench {
namespace {

template <int C>
struct eigen_layer {
  using matrix = Eigen::Matrix<float, C, C>;
  using columns = Eigen::Matrix<float, C, Eigen::Dynamic>;
  matrix taps[3], mapping;
  Eigen::Matrix<float, C, 1> bias, mapping_bias;
  columns buffer, active;
  int dilation = 1, at = 0;

  void load(const streams_work& w, int layer, int block) {
    const std::string node{layer < 10 ? 'a' : 'b', static_cast<char>('0' + layer % 10)};
    dilation = streams_work::dilation(layer);
    const float *const weight = w.weight(node, "weight"), *const b = w.weight(node, "bias");
    const bool is_last = layer + 1 == streams_work::layers;
    for (int n = 0; n < C; ++n) {
      bias[n] = b[n];
      for (int k = 0; k < 3; ++k)
        for (int j = 0; j < C; ++j) taps[k](n, j) = weight[(n * 3 + k) * C + j];
      if (is_last) continue;
      mapping_bias[n] = w.weight(node + ".mapped", "bias")[n];
      for (int j = 0; j < C; ++j) mapping(n, j) = w.weight(node + ".mapped", "weight")[n * C + j];
    }
    buffer.resize(C, 8192 + block);
    active.resize(C, block);
  }
  void reset() {
    buffer.setZero();
    at = 2 * dilation;
  }
  // x becomes the input of the next layer, and the head grows.
  void play(columns& x, columns& head, int count, bool is_last) {
    if (at + count > buffer.cols()) {
      const columns kept = buffer.middleCols(at - 2 * dilation, 2 * dilation);
      buffer.leftCols(2 * dilation) = kept;
      at = 2 * dilation;
    }
    buffer.middleCols(at, count) = x.leftCols(count);
    auto y = active.leftCols(count);
    y.noalias() = taps[0] * buffer.middleCols(at - 2 * dilation, count);
    y.noalias() += taps[1] * buffer.middleCols(at - dilation, count);
    y.noalias() += taps[2] * buffer.middleCols(at, count);
    y = (y.colwise() + bias).array().tanh().matrix();
    head.leftCols(count) += y;
    if (!is_last) {
      x.leftCols(count).noalias() += mapping * y;
      x.leftCols(count).colwise() += mapping_bias;
    }
    at += count;
  }
};

class eigen_stream : public contender {
 public:
  explicit eigen_stream(const streams_work& w) : work_(w), heard_(w.samples.size()) {
    for (int l = 0; l < 10; ++l) {
      wide_[l].load(w, l, w.block);
      narrow_[l].load(w, 10 + l, w.block);
    }
    const auto vector = [&](const char* node, auto& to) {
      for (int n = 0; n < to.size(); ++n) to[n] = w.weight(node, "bias")[n];
    };
    const auto matrix = [&](const char* node, auto& to) {
      for (int n = 0; n < to.rows(); ++n)
        for (int j = 0; j < to.cols(); ++j) to(n, j) = w.weight(node, "weight")[n * to.cols() + j];
    };
    matrix("wide", in_), vector("wide", in_bias_);
    matrix("narrow", to_narrow_), vector("narrow", to_narrow_bias_);
    matrix("head", of_head_), vector("head", of_head_bias_);
    matrix("out", out_), vector("out", out_bias_);
    for (auto* x : {&x_, &head_}) x->resize(16, w.block);
    for (auto* x : {&y_, &sum_}) x->resize(8, w.block);
  }
  void run() override {
    for (auto& layer : wide_) layer.reset();
    for (auto& layer : narrow_) layer.reset();
    const int all = int(heard_.size());
    for (int t = 0; t < all; t += work_.block) play(t, std::min(work_.block, all - t));
  }
  std::span<const float> output() const override { return heard_; }

 private:
  void play(int t, int count) {
    const Eigen::Map<const Eigen::RowVectorXf> samples(work_.samples.data() + t, count);
    x_.leftCols(count).noalias() = in_ * samples;
    x_.leftCols(count).colwise() += in_bias_;
    head_.leftCols(count).setZero();
    for (auto& layer : wide_) layer.play(x_, head_, count, false);
    y_.leftCols(count).noalias() = to_narrow_ * x_.leftCols(count);
    y_.leftCols(count).colwise() += to_narrow_bias_;
    sum_.leftCols(count).noalias() = of_head_ * head_.leftCols(count);
    sum_.leftCols(count).colwise() += of_head_bias_;
    for (int l = 0; l < 10; ++l) narrow_[l].play(y_, sum_, count, l == 9);
    Eigen::Map<Eigen::RowVectorXf> heard(heard_.data() + t, count);
    heard.noalias() = out_ * sum_.leftCols(count);
    heard.array() += out_bias_[0];
  }

  const streams_work& work_;
  eigen_layer<16> wide_[10];
  eigen_layer<8> narrow_[10];
  Eigen::Matrix<float, 16, 1> in_, in_bias_;
  Eigen::Matrix<float, 8, 16> to_narrow_, of_head_;
  Eigen::Matrix<float, 8, 1> to_narrow_bias_, of_head_bias_;
  Eigen::Matrix<float, 1, 8> out_;
  Eigen::Matrix<float, 1, 1> out_bias_;
  Eigen::Matrix<float, 16, Eigen::Dynamic> x_, head_;
  Eigen::Matrix<float, 8, Eigen::Dynamic> y_, sum_;
  std::vector<float> heard_;
};

const bool entered = streams_contest::enter(
    "Eigen", 4,
    [](const streams_work& w) -> std::unique_ptr<contender> { return std::make_unique<eigen_stream>(w); });

}  // namespace
}  // namespace bench
