// A layer where its cell is checked.
// expect(g++): node \'checked_cell\': recurrent needs a cell, and \'recurrent<cells::lstm, hidden<4>>\' has no static step(auto x, auto h) that compiles; mend it, or name a cell such as cells::lstm
// expect(clang): "node \'checked_cell\': recurrent"
// expect(clang): "needs a cell, and"
// expect(clang): "\'recurrent<cells::lstm,"
// expect(clang): "hidden<4>>\' has no static"
// expect(clang): "step(auto x, auto h) that"
// expect(clang): "compiles; mend it, or name a cell"
// expect(clang): "such as cells::lstm"
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::nn;

#ifdef MISTAKE
using checked = lstm<4>;
#else
using checked = cells::lstm;
#endif
bool use() { return bool(check_cell_gradients<checked>(seed{1})); }
