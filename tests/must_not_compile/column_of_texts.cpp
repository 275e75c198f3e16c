// Labels as texts.
// expect(g++): input \'target\': text is given, it takes tokens; number its words: words.encode(words_of(text)), words a vocabulary; or bytes_of(text)
// expect(clang): "input \'target\': text is given, it"
#include <tenon/tenon.hpp>

#include <string>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"x", features<4>>, node<"y", linear<3>, "x">, output<"y">>;
using rows = std::vector<std::vector<float>>;
#ifdef MISTAKE
void use(trainer<model, losses::cross_entropy<"y">, optimizers::adam>& train, const rows& x,
         const std::vector<std::string>& labels) {
  fit(train, data_set(column<"x">(x), column<"target">(labels)), {.epochs = 3});
}
#else
void use(trainer<model, losses::cross_entropy<"y">, optimizers::adam>& train, const rows& x,
         const std::vector<std::string>& labels) {
  fit(train, data_set(column<"x">(x), column<"target">(vocabulary(labels).encode(labels))), {.epochs = 3});
}
#endif
