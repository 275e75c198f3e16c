// Eigen with static sizes: the weights of all gates are one matrix [gates * N, 2 N]; one product for each
// step.
#define EIGEN_STACK_ALLOCATION_LIMIT 0  // the large matrices are on the heap
#include "recurrent/work.hpp"

#include <Eigen/Dense>

namespace bench {
namespace {

template <int N, cell Kind>
class eigen_layer final : public contender {
  static constexpr int gates = Kind == cell::lstm ? 4 : 3;
  template <int Rows, int Columns>
  using matrix = Eigen::Matrix<float, Rows, Columns>;
  using row_major = Eigen::Matrix<float, gates * N, N, Eigen::RowMajor>;

  matrix<gates * N, N> from_input, from_state;
  matrix<gates * N, 2 * N> both;
  matrix<gates * N, 1> input_bias, state_bias, bias, s, u;
  matrix<2 * N, 1> xh;
  Eigen::Array<float, N, 1> c, n;
  Eigen::Matrix<float, gates * N, Eigen::Dynamic> ahead;
  Eigen::Matrix<float, N, Eigen::Dynamic> x, y;
  const recurrent_work& work;

  auto h() { return xh.template tail<N>(); }
  template <class Gates>
  static auto gate(Gates& all, int g) {
    return all.array().template segment<N>(g * N);
  }

  void finish_lstm() {
    c = gate(s, 1).logistic() * c + gate(s, 0).logistic() * gate(s, 2).tanh();
    h() = (gate(s, 3).logistic() * c.tanh()).matrix();
  }
  // s: from the input, u: from the state
  void finish_gru() {
    n = (gate(s, 2) + (gate(s, 0) + gate(u, 0)).logistic() * gate(u, 2)).tanh();
    h() = (n + (gate(s, 1) + gate(u, 1)).logistic() * (h().array() - n)).matrix();
  }

 public:
  explicit eigen_layer(const recurrent_work& w)
      : from_input(Eigen::Map<const row_major>(w.weight_ih.data())),
        from_state(Eigen::Map<const row_major>(w.weight_hh.data())),
        input_bias(Eigen::Map<const matrix<gates * N, 1>>(w.bias_ih.data())),
        state_bias(Eigen::Map<const matrix<gates * N, 1>>(w.bias_hh.data())),
        work(w) {
    both << from_input, from_state;
    bias = input_bias + state_bias;
    x = Eigen::Map<const Eigen::Matrix<float, N, Eigen::Dynamic>>(w.x.data(), N, w.steps);
    y.resize(N, w.steps);
    ahead.resize(gates * N, w.steps);
    reset();
  }
  void reset() override {
    xh.setZero();
    c.setZero();
  }
  void run() override {
    if (work.steps > 1) return run_sequence();
    if constexpr (Kind == cell::lstm) {
      xh.template head<N>() = x.col(0);
      s = bias;
      s.noalias() += both * xh;
      finish_lstm();
    } else {
      s = input_bias;
      u = state_bias;
      s.noalias() += from_input * x.col(0);
      u.noalias() += from_state * h();
      finish_gru();
    }
  }
  void run_sequence() {
    reset();
    ahead.noalias() = from_input * x;
    if constexpr (Kind == cell::lstm) ahead.colwise() += bias;
    else ahead.colwise() += input_bias;
    for (int t = 0; t < work.steps; ++t) {
      s = ahead.col(t);
      if constexpr (Kind == cell::lstm) {
        s.noalias() += from_state * h();
        finish_lstm();
      } else {
        u = state_bias;
        u.noalias() += from_state * h();
        finish_gru();
      }
      y.col(t) = h();
    }
  }
  std::span<const float> output() const override {
    if (work.steps == 1) return {xh.data() + N, N};
    return {y.data(), static_cast<std::size_t>(y.size())};
  }
};

std::unique_ptr<contender> make(const recurrent_work& w) {
  std::unique_ptr<contender> made;
  with_recurrent_size(w.size, [&]<int N>() {
    if (w.kind == cell::lstm) made = std::make_unique<eigen_layer<N, cell::lstm>>(w);
    else made = std::make_unique<eigen_layer<N, cell::gru>>(w);
  });
  return made;
}

const bool entered = recurrent_contest::enter("Eigen by hand", 2, make);

}  // namespace
}  // namespace bench
