// A vector of a device that is gone when the session reads it.
// expect(g++): backend::on_device: this vector ends with the line, and its memory with it; give it a name
// expect(clang): backend::on_device: this vector ends with the line, and its memory with it; give it a name
#include <tenon/tensor/device_view.hpp>

struct pointer_there {
  float* at;
  float* get() const { return at; }
};
struct vector_there {  // as a thrust::device_vector
  float numbers[8];
  pointer_there data() { return {numbers}; }
  int size() const { return 8; }
};

#ifdef MISTAKE
void use() { tenon::backend::on_device(vector_there(), {1, 8}); }
#else
auto use(vector_there& named) { return tenon::backend::on_device(named, {1, 8}); }
#endif
