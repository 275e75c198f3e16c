// refused(g++, clang): there are 2 errors, not one
// expect: a joint must fit
#ifdef MISTAKE
#  error a joint must fit
#  error and another one
#else
#endif
