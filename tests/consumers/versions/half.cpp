// Half of a program, with one version of the library: HALF is its name. The halves share their network's type, as far as it has one.
#include <tenon/nn/nn.hpp>
#include <tenon/tenon.hpp>
#include <tenon/version.hpp>

using namespace tenon;
using namespace tenon::nn;

using network = graph<"network", input<"x", features<2>>, node<"y", linear<1>, "x">, output<"y">>;

int version_of_HALF() { return TENON_VERSION; }
float output_of_HALF() {
  parameters<network> theta(zeros{});
  theta.data()[0] = 2;
  theta.data()[2] = 0.5f;
  inference<network> run;
  return run(theta, std::vector<float>{1, 3})(0, 0);
}

// What only an object of the same version can call, because of its argument.
#ifdef DEFINES
float sum_of(const parameters<network>& theta) { return theta.data()[0] + theta.data()[1]; }
#elif defined CALLS
float sum_of(const parameters<network>& theta);
float sum_of_nothing() { return sum_of(parameters<network>(zeros{})); }
#endif
