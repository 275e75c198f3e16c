// A class for each row, where the output has one at each place of a grid.
// expect(g++): input \'target\': a flat range is given, it takes a grid; give a tensor [batch, 4, 4], or put a flatten before the output for one target a row
// expect(clang): "input \'target\': a flat range is"
// expect(clang): "given, it takes a grid; give a"
// expect(clang): "tensor [batch, 4, 4], or put a"
// expect(clang): "flatten before the output for one"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using head = linear<10>;
#else
using head = chain<flatten, linear<10>>;
#endif
using model =
    graph<"model", input<"x", features<1>, grid<4, 4>>, node<"seen", conv2d<8, 3, 3, same_padding>, "x">,
          node<"logits", head, "seen">, output<"logits">>;
void use(trainer<model, losses::cross_entropy<"logits">, optimizers::adam, batch<32>>& train,
         const std::vector<int>& classes) {
  set_input<"target">(train, classes);
}
