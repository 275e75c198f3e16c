// refused: expected, but not in the first lines: the last of the notes
// expect: deleted
// expect: the last of the notes
#ifdef MISTAKE
constexpr long size = 2;
#else
constexpr int size = 1;
#endif
void fit(int);
void /* the last of the notes */ fit(long) = delete;
void use() { fit(size); }
