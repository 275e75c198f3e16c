// Two losses in a row, where one objective is taken.
// expect(g++): \'losses::mse<\"z\">\' is a second loss; add them up, losses::sum_of<losses::cross_entropy<\"y\">, losses::mse<\"z\">>
// expect(clang): "\'losses::mse<\"z\", \"target\">\' is a"
// expect(clang): "second loss; add them up,"
// expect(clang): "losses::mse<\"z\", \"target\">>"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<8>>, node<"y", linear<4>, "x">, node<"z", linear<1>, "x">,
                    output<"y">, output<"z">>;
#ifdef MISTAKE
using training = trainer<model, losses::cross_entropy<"y">, losses::mse<"z">, optimizers::adam, batch<32>>;
#else
using training = trainer<model, losses::sum_of<losses::cross_entropy<"y">, losses::mse<"z", "height">>,
                         optimizers::adam, batch<32>>;
#endif
void use(training& train) { train.step(); }
