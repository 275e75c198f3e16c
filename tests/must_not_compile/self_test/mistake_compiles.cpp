// refused: the mistake compiles
#ifdef MISTAKE
constexpr int size = 1;
#else
constexpr int size = 1;
#endif
static_assert(size == 1, "a joint must fit");
