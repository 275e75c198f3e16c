// expect: a joint must fit
// expect(g++): static assertion failed
// expect(clang): static assertion failed
#ifdef MISTAKE
constexpr int size = 2;
#else
constexpr int size = 1;
#endif
static_assert(size == 1, "a joint must fit");
