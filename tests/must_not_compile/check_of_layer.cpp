// A layer where its cell is checked.
// expect(g++): node \'states\': recurrent needs a cell, and \'recurrent<lstm_cell, hidden<4>>\' has no static step(auto x, auto h) that compiles; mend it, or name a cell such as lstm_cell
// expect(clang): "node \'states\': recurrent needs a"
// expect(clang): "cell, and \'recurrent<lstm_cell,"
// expect(clang): "hidden<4>>\' has no static"
// expect(clang): "step(auto x, auto h) that"
// expect(clang): "compiles; mend it, or name a cell"
// expect(clang): "such as lstm_cell"
#include <tenon/tenon.hpp>

using namespace tenon;

#ifdef MISTAKE
using checked = lstm<4>;
#else
using checked = lstm_cell;
#endif
bool use() { return bool(check_cell_gradients<checked>(seed{1})); }
