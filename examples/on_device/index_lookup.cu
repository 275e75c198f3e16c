// nvcc -std=c++20 -O2 -arch=native --expt-relaxed-constexpr -I include -I examples examples/on_device/index_lookup.cu -o index_lookup
#include "index_lookup.cpp"
