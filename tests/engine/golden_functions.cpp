// Every function of the equation language against PyTorch: values and derivatives, and the two softmaxes over
// features.
#include "engine/golden_case.hpp"
#include "tenon/nn/activation.hpp"

namespace tenon::test {

struct exponential {
  static constexpr auto at(auto x) { return exp(x); }
};
struct logarithm {
  static constexpr auto at(auto x) { return log(abs(x) + 0.1); }
};
struct root {
  static constexpr auto at(auto x) { return sqrt(abs(x) + 0.1); }
};
struct squared {
  static constexpr auto at(auto x) { return square(x); }
};
struct absolute {
  static constexpr auto at(auto x) { return abs(x); }
};

// One number in each row, or the whole row if the function works over the features.
template <class M, class F, int Width, int Rows>
void check_function(const char* file, const std::string& x, const std::string& y, const std::string& dy,
                    const std::string& dx) {
  using G = graph<"golden", input<"x", features<Width>>, node<"layer", F, "x">, output<"layer">>;
  CAPTURE(y);
  const golden::file f = golden::read(file);
  const typename M::template parameters<G> theta(zeros{});
  typename M::template parameters<G> gradients(zeros{});
  typename M::template differentiation<G, void, batch<Rows>, input_gradients> run;
  set_input<"x">(run, f[x].values);
  run.forward(theta);
  compare(get<"layer">(run), f[y], 2e-6, "value");
  const view adjoint = output_adjoint<"layer">(run);
  if (dy.empty())
    for (std::size_t r = 0; r < Rows; ++r) adjoint(r, 0) = 1;
  else fill(adjoint, f[dy]);
  run.backward(theta, gradients);
  compare(input_gradient<"x">(run), f[dx], 2e-6, "derivative");
}
template <class M, class F>
void check_activation(const std::string& name) {
  check_function<M, F, 1, 41>("activations", "x", name, "", "d." + name);
}

TEST_CASE_TEMPLATE("functions of each element agree with PyTorch", M, oracle, processor) {
  check_activation<M, nn::activation::sigmoid>("sigmoid");
  check_activation<M, nn::activation::tanh>("tanh");
  check_activation<M, nn::activation::relu>("relu");
  check_activation<M, nn::activation::gelu>("gelu");
  check_activation<M, nn::activation::softplus>("softplus");
  check_activation<M, exponential>("exp");
  check_activation<M, logarithm>("log");
  check_activation<M, root>("sqrt");
  check_activation<M, squared>("square");
  check_activation<M, absolute>("abs");
}
TEST_CASE_TEMPLATE("softmax and log-softmax over the features agree with PyTorch", M, oracle, processor) {
  check_function<M, nn::activation::softmax, 9, 4>("softmax_logsoftmax", "input", "softmax",
                                                   "grad_output.softmax", "grad.input.softmax");
  check_function<M, nn::activation::log_softmax, 9, 4>("softmax_logsoftmax", "input", "log_softmax",
                                                       "grad_output.log_softmax", "grad.input.log_softmax");
}

}  // namespace tenon::test
