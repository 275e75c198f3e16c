// A name beyond the room for names.
// expect(g++): a name with its path has more than 63 letters: \'the_probabilities_of_all_digits_at_the_p\'; shorten it
// expect(clang): "a name with its path has more than"
// expect(clang): "63 letters:"
// expect(clang): "\'the_probabilities_of_all_digits_a"
// expect(clang): "t_the_p\'; shorten it"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/linear.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
inline constexpr tenon::ir::text scores = "the_probabilities_of_all_digits_at_the_position_that_the_index_names";
#else
inline constexpr tenon::ir::text scores = "the_probabilities_of_all_digits";
#endif
using model = graph<"model", input<"x", features<8>>, node<scores, linear<4>, "x">, output<scores>>;
static_assert(check<model>());
