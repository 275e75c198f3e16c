// A parameter that the other graph calls otherwise.
// expect(g++): copy_by_name: graph \'trained\' has no parameter \'table.weight\'; rename or choose: {.rename = {{\"encoder.*\", \"*\"}}, .only = \"..\"}
// expect(clang): "copy_by_name: graph \'trained\' has"
// expect(clang): "no parameter \'table.weight\';
#include <tenon/tenon.hpp>
#include <tenon/parameters/copy_by_name.hpp>

using namespace tenon;
using namespace tenon::nn;

using trained = graph<"trained", input<"t", token<7>, steps<5>>, node<"embedded", embedding<7, 4>, "t">,
                      node<"y", linear<6>, "embedded">, output<"y">>;
using fresh =
    graph<"fresh", input<"t", token<7>, steps<5>>, node<"table", embedding<7, 4>, "t">, output<"table">>;

#ifdef MISTAKE
void use(const parameters<trained>& from, parameters<fresh>& to) { io::copy_by_name(from, to); }
#else
void use(const parameters<trained>& from, parameters<fresh>& to) {
  io::copy_by_name(from, to, {.rename = {{"embedded.*", "table.*"}}, .only = "table.*"});
}
#endif
