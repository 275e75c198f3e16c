// A projection that is no smaller than what it projects.
// expect(g++): node \'y\': proj_size<n> projects the state to fewer features, at least one: 15 features, got 16; write at most proj_size<15>, or leave it out
// expect(clang): "write at most proj_size<15>, or"
#include <tenon/graph/graph.hpp>
#include <tenon/nn/recurrent.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using layer = lstm<16, proj_size<16>>;
#else
using layer = lstm<16, proj_size<15>>;
#endif
using model = graph<"model", input<"x", features<8>, steps<6>>, node<"y", layer, "x">, output<"y">>;
static_assert(check<model>());
