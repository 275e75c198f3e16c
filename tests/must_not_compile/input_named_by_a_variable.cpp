// The name of an input that is known only when the program runs.
// expect(g++): a name is a text in double quotes, got a variable; choose with if and else: its inputs are \'tokens\'
// expect(clang): "a name is a text in double quotes,"
// expect(clang): "got a variable; choose with if and"
// expect(clang): "else: its inputs are \'tokens\'"
#include <tenon/tenon.hpp>

#include <string>
#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model =
    graph<"model", input<"tokens", token<10>>, node<"logits", embedding<10, 3>, "tokens">, output<"logits">>;

void give(inference<model>& run, [[maybe_unused]] std::string name) {
#ifdef MISTAKE
  set_input<name>(run, std::vector{3});
#else
  if (name == "tokens") set_input<"tokens">(run, std::vector{3});
#endif
}
