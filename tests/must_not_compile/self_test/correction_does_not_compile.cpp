// refused: the correction does not compile
// expect: a joint must fit
#ifdef MISTAKE
constexpr int size = 2;
#else
constexpr int size = 3;
#endif
static_assert(size == 1, "a joint must fit");
