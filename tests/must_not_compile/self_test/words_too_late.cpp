// refused(g++, clang): expected, but not in the first lines: the last of the notes
// expect: deleted
// expect(g++): the last of the notes
// expect(clang): the last of the notes
// expect(nvcc): deleted function
#ifdef MISTAKE
constexpr long size = 2;
#else
constexpr int size = 1;
#endif
void fit(int);
void /* the last of the notes */ fit(long) = delete;
void use() { fit(size); }
