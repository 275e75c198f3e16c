// More gates than PyTorch's names are given for.
// expect(g++): torch_storage has room for 16 gates
// expect(clang): torch_storage has room for 16 gates
#include <tenon/equation/trace.hpp>

using namespace tenon;

#ifdef MISTAKE
inline constexpr auto names = nn::cells::torch_storage("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k",
                                                       "l", "m", "n", "o", "p", "q");
#else
inline constexpr auto names =
    nn::cells::torch_storage("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p");
#endif
