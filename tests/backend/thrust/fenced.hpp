// A Thrust device on a plain CPU whose memory only its kernels and copies can access: any other access is a segmentation fault, as it
// would be in a GPU's memory. A program that runs on it accesses memory as a GPU requires.
#pragma once

#include "support/machines.hpp"
#include "tenon/backend/thrust/thrust.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <new>
#include <vector>

namespace tenon::test {

struct fenced {};

class fence {
 public:
  static void* allocate(std::size_t bytes) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t whole = (bytes + page - 1) / page * page;
    void* const start = ::mmap(nullptr, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED) throw std::bad_alloc();
    blocks().push_back({start, whole});
    return start;
  }
  static void release(void* start) {
    for (block& b : blocks())
      if (b.start == start) {
        ::munmap(b.start, b.bytes);
        b = blocks().back();
        blocks().pop_back();
        return;
      }
  }
  static bool holds(const void* pointer) {
    const auto* const byte = static_cast<const char*>(pointer);
    for (const block& b : blocks())
      if (const auto* const start = static_cast<const char*>(b.start);
          byte >= start && byte < start + b.bytes)
        return true;
    return false;
  }
  // The memory is accessible while this object lives.
  fence() { protect(PROT_READ | PROT_WRITE); }
  ~fence() { protect(PROT_NONE); }
  fence(const fence&) = delete;
  fence& operator=(const fence&) = delete;

 private:
  struct block {
    void* start;
    std::size_t bytes;
  };
  static std::vector<block>& blocks() {
    static std::vector<block> all;
    return all;
  }
  static void protect(int how) {
    for (const block& b : blocks())
      if (::mprotect(b.start, b.bytes, how) != 0) throw std::bad_alloc();
  }
};

inline void* allocate(fenced, std::size_t bytes) { return fence::allocate(bytes); }
inline void release(fenced, void* block) { fence::release(block); }
inline bool is_own_memory(fenced, const void* pointer) { return fence::holds(pointer); }
inline void copy_in(fenced, const void* from, void* to, std::size_t bytes) {
  const fence open;
  copy_in(backend::thrust_device{}, from, to, bytes);
}
inline void copy_out(fenced, const void* from, void* to, std::size_t bytes) {
  const fence open;
  copy_out(backend::thrust_device{}, from, to, bytes);
}

// Captured work accesses the memory when it is queued.
class fenced_graphs : public backend::work_graphs {
 public:
  void queue(const graph& one) {
    const fence open;
    work_graphs::queue(one);
  }
};
fenced_graphs graphs_of(fenced);

// Every kernel is Thrust's, with the fence open.
#define TENON_FENCED(Result, kernel)                             \
  template <auto... Sizes, class... Given>                       \
  Result kernel(fenced, const Given&... given) {                 \
    const fence open;                                            \
    return kernel<Sizes...>(backend::thrust_device{}, given...); \
  }
#define TENON_FENCED_PLAIN(Result, kernel)             \
  template <class... Given>                            \
  Result kernel(fenced, const Given&... given) {       \
    const fence open;                                  \
    return kernel(backend::thrust_device{}, given...); \
  }
template <class Kernel, class T>
void map(fenced, int steps, int rows, const backend::operand<const T>* loads,
         const backend::operand<T>* stores) {
  const fence open;
  map<Kernel>(backend::thrust_device{}, steps, rows, loads, stores);
}
template <class Kernel, class T>
void map_if_finite(fenced, const backend::run_numbers* numbers, int steps, int rows,
                   const backend::operand<const T>* loads, const backend::operand<T>* stores) {
  const fence open;
  map_if_finite<Kernel>(backend::thrust_device{}, numbers, steps, rows, loads, stores);
}
template <int D, class T>
void clear_past_end(fenced, int first, int steps, int rows, const int* lengths,
                    const backend::operand<T>& y) {
  const fence open;
  clear_past_end<D>(backend::thrust_device{}, first, steps, rows, lengths, y);
}
template <int N, int K, class T, class W>
void matmul(fenced, int rows, const T* x, std::ptrdiff_t x_row, const W* w, T* y, std::ptrdiff_t y_row) {
  const fence open;
  matmul<N, K>(backend::thrust_device{}, rows, x, x_row, w, y, y_row);
}
template <int N, int K>
constexpr int packed_size(fenced) {
  return packed_size<N, K>(backend::thrust_device{});
}
TENON_FENCED(void, take_rows)
TENON_FENCED(void, pack)
TENON_FENCED(void, matmul_transposed)
TENON_FENCED(void, gradient_outer)
TENON_FENCED(void, gradient_sum)
TENON_FENCED(void, gather)
TENON_FENCED(void, scatter_add)
TENON_FENCED(void, scatter_add_by_frequency)
TENON_FENCED(void, axis_sum)
TENON_FENCED(void, axis_max)
TENON_FENCED(void, axis_softmax)
TENON_FENCED(void, weighted_sum)
TENON_FENCED(void, shift)
TENON_FENCED(void, flip)
TENON_FENCED(void, mean_cross_entropy)
TENON_FENCED(void, gather_windows)
TENON_FENCED(void, sum_windows)
TENON_FENCED(void, accumulate_rows)
TENON_FENCED(void, clear_rows)
TENON_FENCED(void, clear_ended_rows)
TENON_FENCED(void, copy_rows)
TENON_FENCED(void, copy_rows_where)
TENON_FENCED(void, keep_rows)
TENON_FENCED(void, earlier_rows)
TENON_FENCED_PLAIN(void, mean_positions)
TENON_FENCED_PLAIN(void, positions_gradient)
TENON_FENCED_PLAIN(std::ptrdiff_t, first_outside)
TENON_FENCED_PLAIN(void, set_all)
TENON_FENCED_PLAIN(void, lengths_at)
TENON_FENCED_PLAIN(void, sum_squares)
TENON_FENCED_PLAIN(void, scale_to_norm)
TENON_FENCED_PLAIN(void, limit_elements)
TENON_FENCED_PLAIN(void, scale_elements)
TENON_FENCED_PLAIN(void, move_towards)
TENON_FENCED_PLAIN(void, numbers_of_tokens)
TENON_FENCED_PLAIN(void, count_up)
TENON_FENCED_PLAIN(void, clear_blocks)
TENON_FENCED_PLAIN(void, dropout_elements)
#undef TENON_FENCED
#undef TENON_FENCED_PLAIN

#ifdef __CUDACC__  // a GPU's memory is protected anyway
template <class T>
using device = machine<backend::thrust_device, T>;
#else
template <class T>
using device = machine<fenced, T>;
#endif

}  // namespace tenon::test
