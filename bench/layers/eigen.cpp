// Eigen, each layer and its derivative written out by hand.
#include "layers/work.hpp"

#include <Eigen/Dense>

namespace bench {
namespace {

constexpr int width = layer_work::width;
using columns = Eigen::Matrix<float, width, Eigen::Dynamic>;
using column = Eigen::Matrix<float, width, 1>;

class eigen_cross_entropy final : public contender {
  const layer_work& work;
  Eigen::ArrayXf e{layer_work::classes};
  std::vector<float> gradient;
  float loss = 0;

 public:
  explicit eigen_cross_entropy(const layer_work& w) : work(w), gradient(w.backward ? w.x.size() : 0) {}
  void run() override {
    const float share = 1 / static_cast<float>(work.batch);
    loss = 0;
    for (int b = 0; b < work.batch; ++b) {
      const std::ptrdiff_t row = std::ptrdiff_t{b} * layer_work::classes;
      const int target = work.index[static_cast<std::size_t>(b)];
      const Eigen::Map<const Eigen::ArrayXf> x(work.x.data() + row, layer_work::classes);
      const float most = x.maxCoeff();
      e = (x - most).exp();
      const float sum = e.sum();
      loss += share * (std::log(sum) + most - x[target]);
      if (!work.backward) continue;
      Eigen::Map<Eigen::ArrayXf> dx(gradient.data() + row, layer_work::classes);
      dx = e * (share / sum);
      dx[target] -= share;
    }
  }
  std::span<const float> output() const override {
    if (work.backward) return gradient;
    return {&loss, 1};
  }
};

class eigen_embedding final : public contender {
  const layer_work& work;
  columns rows{width, std::ssize(work.index)}, gradient;

 public:
  explicit eigen_embedding(const layer_work& w) : work(w) {
    if (w.backward) gradient.resize(width, w.symbols);
  }
  void run() override {
    const Eigen::Map<const columns> table(work.x.data(), width, work.symbols);
    for (Eigen::Index i = 0; i < rows.cols(); ++i)
      rows.col(i) = table.col(work.index[static_cast<std::size_t>(i)]);
    if (!work.backward) return;
    const Eigen::Map<const columns> adjoint(work.output_adjoint.data(), width, rows.cols());
    gradient.setZero();
    for (Eigen::Index i = 0; i < rows.cols(); ++i)
      gradient.col(work.index[static_cast<std::size_t>(i)]) += adjoint.col(i);
  }
  std::span<const float> output() const override {
    const columns& result = work.backward ? gradient : rows;
    return {result.data(), static_cast<std::size_t>(result.size())};
  }
};

class eigen_attention final : public contender {
  const layer_work& work;
  Eigen::ArrayXf weights{work.steps};
  Eigen::VectorXf de{work.steps};
  std::vector<float> context, gradient;  // gradient: the query's, then the states'

 public:
  explicit eigen_attention(const layer_work& w) : work(w), context(w.query.size()) {
    if (w.backward) gradient.resize(w.query.size() + w.x.size());
  }
  void run() override {
    for (int b = 0; b < work.batch; ++b) {
      const std::ptrdiff_t at = b * width, at_states = at * work.steps;
      const Eigen::Map<const columns> states(work.x.data() + at_states, width, work.steps);
      const Eigen::Map<const column> query(work.query.data() + at);
      weights = (states.transpose() * query).array();
      weights = (weights - weights.maxCoeff()).exp();
      weights /= weights.sum();
      Eigen::Map<column>(context.data() + at).noalias() = states * weights.matrix();
      if (!work.backward) continue;
      const Eigen::Map<const column> adjoint(work.output_adjoint.data() + at);
      de.noalias() = states.transpose() * adjoint;
      de.array() = weights * (de.array() - de.dot(weights.matrix()));
      Eigen::Map<column>(gradient.data() + at).noalias() = states * de;
      Eigen::Map<columns> dstates(gradient.data() + work.query.size() + at_states, width, work.steps);
      for (Eigen::Index t = 0; t < work.steps; ++t) dstates.col(t) = query * de[t] + adjoint * weights[t];
    }
  }
  std::span<const float> output() const override { return work.backward ? gradient : context; }
};

const bool entered =
    layer_contest::enter("Eigen by hand", 2, [](const layer_work& w) -> std::unique_ptr<contender> {
      switch (w.what) {
        case layer::cross_entropy:
          return std::make_unique<eigen_cross_entropy>(w);
        case layer::embedding:
          return std::make_unique<eigen_embedding>(w);
        default:
          return std::make_unique<eigen_attention>(w);
      }
    });

}  // namespace
}  // namespace bench
