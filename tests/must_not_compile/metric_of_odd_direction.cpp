// A metric of one's own that says by a function whether its lowest value is the best.
// expect(g++): \'lower_is_better\' of \'off\' is not a bool; write static constexpr bool lower_is_better = true;
// expect(clang): "\'lower_is_better\' of \'off\' is not"
// expect(clang): "a bool; write static constexpr"
// expect(clang): "bool lower_is_better = true;"
#include <tenon/tenon.hpp>

#include <array>
#include <string>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"logits", linear<4>, "x">, output<"logits">>;
using training = trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<32>>;
struct off {
#ifdef MISTAKE
  bool lower_is_better() const { return true; }
#else
  static constexpr bool lower_is_better = true;
#endif
  std::string name() const { return "off"; }
  void reset() {}
  void add(const auto&) {}
  double value() const { return 0; }
};
auto rows() {
  return data_set(column<"x">(9, [](int) { return std::array<float, 8>{}; }),
                  column<"target">(9, [](int r) { return r % 4; }));
}
void use(training& train) { fit(train, rows(), {.validate = rows(), .metrics = {off{}}}); }
