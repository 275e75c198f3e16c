// Memory of the program's as that of a device.
// expect(g++): backend::on_device takes memory of a device: a thrust::device_vector, or a pointer into it; what is in the program's memory is given as it is
// expect(clang): backend::on_device takes memory of a device: a thrust::device_vector, or a pointer into it; what is in the program's memory is given as it is
#include <tenon/tensor/device_view.hpp>

#include <vector>

std::vector<float> numbers(8);

#ifdef MISTAKE
void use() { tenon::backend::on_device(numbers, {1, 8}); }
#else
auto use() { return tenon::backend::on_device(numbers.data(), {1, 8}); }
#endif
