// A parameter that has another shape in the other graph.
// expect(g++): copy_by_name: \'embedded.weight\' of the two graphs differ: 4 columns, got 5 from \'trained\'; choose what to copy: {.only = \"embedded.*\"}
// expect(clang): "copy_by_name: \'embedded.weight\' of"
// expect(clang): "the two graphs differ: 4 columns,"
// expect(clang): "got 5 from \'trained\'; choose what"
#include <tenon/tenon.hpp>
#include <tenon/parameters/copy_by_name.hpp>

using namespace tenon;
using namespace tenon::nn;

using trained = graph<"trained", input<"t", token<7>, steps<5>>, node<"embedded", embedding<7, 5>, "t">,
                      output<"embedded">>;
using fresh4 = graph<"fresh", input<"t", token<7>, steps<5>>, node<"embedded", embedding<7, 4>, "t">,
                     output<"embedded">>;
using fresh5 = graph<"fresh", input<"t", token<7>, steps<5>>, node<"embedded", embedding<7, 5>, "t">,
                     output<"embedded">>;

#ifdef MISTAKE
void use(const parameters<trained>& from, parameters<fresh4>& to) { io::copy_by_name(from, to); }
#else
void use(const parameters<trained>& from, parameters<fresh5>& to) { io::copy_by_name(from, to); }
#endif
