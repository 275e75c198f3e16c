// refused(g++, clang): lines are more than 12
// expect(g++): no matching function
// expect(clang): no matching function
// expect(nvcc): no instance of overloaded function
struct wrong {};
void fit(int*);
void fit(char*);
void fit(long*);
void fit(short*);
void fit(float*);
#ifdef MISTAKE
void use() { fit(wrong()); }
#else
void use() { fit(static_cast<int*>(nullptr)); }
#endif
