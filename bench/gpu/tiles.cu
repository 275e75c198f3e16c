// One product in tiles of many shapes, and in the tile that the library chooses: for the table of decision 29. Run by hand to choose tiles:
//   nvcc -std=c++20 -O3 -arch=native --expt-relaxed-constexpr --extended-lambda -Iinclude -Ibench -Ibench/gpu bench/gpu/tiles.cu -o tiles
//   ./tiles 0.1
#include "measure.hpp"

#include <thrust/device_vector.h>

#include <cstddef>

using namespace tenon::backend::cuda_detail;

// out[m, n] = sum_k left[m, k] right[k, n]
struct product {
  int rows, columns, terms;
  const thrust::device_vector<float>&left, &right;
  thrust::device_vector<float>& out;

  template <class Tile>
  tiled_product<float, Tile, false> in() const {
    return {rows,    columns, terms, terms, left.data().get(), right.data().get(), out.data().get(), terms,
            columns, columns, 0,     false};
  }
  std::string name() const {
    return std::to_string(rows) + " rows, " + std::to_string(columns) + " columns, " + std::to_string(terms) +
           " terms";
  }
  template <int Rows, int Columns, int Depth, int ThreadRows, int ThreadColumns>
  void in_tiles() const {
    using tile = tile_shape<Rows, Columns, Depth, ThreadRows, ThreadColumns>;
    const std::string shape = std::to_string(Rows) + " x " + std::to_string(Columns) + " x " +
                              std::to_string(Depth) + ", " + std::to_string(ThreadRows) + " x " +
                              std::to_string(ThreadColumns) + " a thread";
    bench::say("tiles", name(), shape,
               bench::microseconds_of([&] { multiply<tile, false>(in<tile>(), 1, "tiles"); }));
  }
  void split() const {
    bench::say("tiles", name(), "split", bench::microseconds_of([&] {
                 multiply_split(
                     split_product<float, 8>{rows, columns, terms, left.data().get(), right.data().get(),
                                             out.data().get(), terms, columns, columns, false},
                     "tiles");
               }));
  }
  void as_chosen() const {
    bench::say("tiles", name(), "as chosen",
               bench::microseconds_of([&] { multiply<false, float>(in<wide_tile>()); }));
  }
};

void measure() {
  const thrust::device_vector<float> left = bench::numbers(1 << 24), right = bench::numbers(1 << 22);
  thrust::device_vector<float> out(1 << 25);
  const auto with = [&](int rows, int columns, int terms) {
    return product{rows, columns, terms, left, right, out};
  };
  for (const product& p : {with(256, 256, 256), with(1024, 256, 256), with(1024, 256, 1024),
                           with(1024, 512, 256), with(512, 1024, 1024)}) {
    p.in_tiles<64, 64, 16, 8, 4>();
    p.in_tiles<64, 64, 16, 4, 4>();
    p.in_tiles<32, 32, 32, 4, 2>();
    p.split();
    p.as_chosen();
  }
  for (const product& p :
       {with(2048, 2048, 512), with(4096, 1024, 1024), with(16384, 1024, 256), with(16384, 2048, 512)}) {
    p.in_tiles<128, 128, 8, 8, 8>(), p.in_tiles<128, 128, 16, 8, 4>(), p.in_tiles<128, 256, 8, 8, 8>(),
        p.in_tiles<128, 64, 8, 8, 4>();
    p.as_chosen();
  }
}

int main(int count, char** arguments) { return bench::run(measure, count, arguments); }
