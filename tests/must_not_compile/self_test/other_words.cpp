// refused: expected, but not in the first lines: expected features
// expect: a joint must fit
// expect: expected features
#ifdef MISTAKE
constexpr int size = 2;
#else
constexpr int size = 1;
#endif
static_assert(size == 1, "a joint must fit");
