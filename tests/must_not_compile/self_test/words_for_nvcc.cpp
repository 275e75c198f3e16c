// refused(nvcc): expected, but not in the first lines: words of its own
// expect(g++): a joint must fit
// expect(clang): a joint must fit
// expect(nvcc): words of its own
#ifdef MISTAKE
constexpr int size = 2;
#else
constexpr int size = 1;
#endif
static_assert(size == 1, "a joint must fit");
