// expect: a joint, must fit
template <unsigned long N>
struct text {
  char chars[N];
  constexpr text(const char (&s)[N]) {
    for (unsigned long k = 0; k < N; ++k) chars[k] = s[k];
  }
};
template <text Explanation>
struct wrong;
#ifdef MISTAKE
static_assert(sizeof(wrong<"a joint, must fit">) > 0);
#endif
