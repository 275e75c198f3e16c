// Lengths beside ranges that have their own.
// expect(g++): input \'tokens\': lengths and layout belong to a tensor; leave them out: ranges have their own lengths
// expect(clang): "input \'tokens\': lengths and layout"
// expect(clang): "belong to a tensor; leave them"
// expect(clang): "out: ranges have their own lengths"
#include <tenon/tenon.hpp>

#include <vector>

using namespace tenon;
using namespace tenon::nn;

using model = graph<"model", input<"tokens", token<10>, steps<6>>,
                    node<"embedded", embedding<10, 8>, "tokens">, output<"embedded">>;
void use(inference<model>& run, const std::vector<std::vector<int>>& tokens,
         const std::vector<int>& lengths) {
#ifdef MISTAKE
  set_input<"tokens">(run, tokens, lengths);
#else
  set_input<"tokens">(run, tokens);
  static_cast<void>(lengths);
#endif
}
