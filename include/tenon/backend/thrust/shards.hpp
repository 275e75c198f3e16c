// What the shards of a batch, each with a session of its own, share on Thrust: their losses and counts, and the sum of their gradients.
#pragma once

#include "tenon/backend/operand.hpp"
#include "tenon/backend/thrust/launch.hpp"
#include "tenon/backend/thrust/tag.hpp"

#include <cstddef>

namespace tenon::inline v0_1::backend::inline TENON_DEVICE {

namespace thrust_detail {

template <class T>
struct add_number {
  const T* from;
  T* to;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t k) const { to[k] += from[k]; }
};
template <class T>
struct copy_number {
  const T* from;
  T* to;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t k) const { to[k] = from[k]; }
};
struct tell_loss {
  const run_numbers* run;
  positions_sum* told;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t) const { *told = {run->loss, 0}; }
};
struct give_count {
  const positions_sum* told;
  positions_sum* own;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t) const { own->count = told->count; }
};
struct join_told {
  int shards, width;
  positions_sum* told;
  run_numbers* whole;
  TENON_HOST_DEVICE void operator()(std::ptrdiff_t) const {
    for (int apart = 1; apart < shards; apart *= 2)  // the tree of distribute/sum_tree.hpp
      for (int k = 0; k + apart < shards; k += 2 * apart)
        for (int i = 0; i < width; ++i) {
          told[k * width + i].sum += told[(k + apart) * width + i].sum;
          told[k * width + i].count += told[(k + apart) * width + i].count;
        }
    whole->loss = told[0].sum;
    whole->positions = 0;
    for (int i = 1; i < width; ++i) {
      whole->loss += told[i].count > 0 ? told[i].sum / told[i].count : 0;
      whole->positions += told[i].count;
    }
  }
};

}  // namespace thrust_detail

// to[k] += from[k]
template <class T>
void add_elements(thrust_device, std::ptrdiff_t count, const T* from, T* to) {
  thrust_detail::for_each_index(count, thrust_detail::add_number<T>{from, to});
}
// to[k] = from[k]
template <class T>
void copy_elements(thrust_device, std::ptrdiff_t count, const T* from, T* to) {
  thrust_detail::for_each_index(count, thrust_detail::copy_number<T>{from, to});
}

// What a shard tells the others, `width` sums: its share of the loss of the batch, and then of each loss that computes its count (the numbers
// of these operations: open[width - 1]) its sum and its count.
inline void tell_losses(thrust_device, const run_numbers* run, const positions_sum* of_operations,
                        const int* open, int width, positions_sum* told) {
  thrust_detail::for_each_index(1, thrust_detail::tell_loss{run, told});
  for (int i = 1; i < width; ++i)
    thrust_detail::for_each_index(
        1, thrust_detail::copy_number<positions_sum>{of_operations + open[i - 1], told + i});
}
// Adds what `shards` shards have told, [shards, width]: told[0 .. width - 1] are the sums, and `whole` gets the loss of the batch, and the
// positions of the losses that compute their counts.
inline void join_losses(thrust_device, int shards, int width, positions_sum* told, run_numbers* whole) {
  thrust_detail::for_each_index(1, thrust_detail::join_told{shards, width, told, whole});
}
// The counts of these sums, for the backward pass of a shard.
inline void give_counts(thrust_device, const positions_sum* told, const int* open, int width,
                        positions_sum* of_operations) {
  for (int i = 1; i < width; ++i)
    thrust_detail::for_each_index(1, thrust_detail::give_count{told + i, of_operations + open[i - 1]});
}

}  // namespace tenon::inline v0_1::backend::inline TENON_DEVICE
