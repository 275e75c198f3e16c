// backend_kernels: the kernels that a plan needs from a backend, and which of them the backend has. A tag
// that derives from backend::reference has all of them; for any other tag, each kernel is looked up.
#pragma once

#include "tenon/backend/memory.hpp"
#include "tenon/backend/operand.hpp"
#include "tenon/engine/plan/plan.hpp"

#include <concepts>

namespace tenon::inline v0_1::engine {

// The kernels that operation o runs through the backend, by name, forward and for this purpose.
using kernel_names = list<label, 24>;
template <class Network>
constexpr kernel_names kernels_of(const Network& net, const operation& o, purpose why) {
  const bool backward = why == purpose::differentiation, streams = why == purpose::streaming;
  kernel_names all;
  const auto add = [&](const char* asked) {
    if (asked != nullptr && all.find(asked) < 0) all.add(asked);
  };
  if (const operation_traits& mine = traits_of(o.kind); mine.forward != nullptr) {
    add(mine.forward);
    if (backward) add(o.by_frequency ? "scatter_add_by_frequency" : mine.backward);
  } else {
    for (const own_number& own : net.programs[o.program].own)
      if (own.share > 0) add("dropout");
    for (const instruction& i : net.programs[o.program].code) {
      if (is_elementwise(i.code)) add("map");
      for (const char* asked : traits_of(i.code).forward) add(asked);
      for (const char* asked : traits_of(i.code).backward)
        if (backward) add(asked);
    }
    if (o.inner >= 0) add("map");
    if (o.inner >= 0 && backward) add("accumulate_rows");
  }
  bool walks = backward || o.axis >= 0;
  for (int e : o.in) walks = walks || (e >= 0 && net.edges[e].axis >= 0);
  if (walks) add("rows");
  if (streams &&
      (traits_of(o.kind).reads_neighbours || (o.program >= 0 && looks_back(net.programs[o.program]))))
    add("kept_rows");
  return all;
}

// All kernels; each is named only here. Does the backend have the kernel for which is(name) is true? The calls have
// rows of one number, as only their form matters. "rows": copies, zeros and lengths of rows. "kept_rows": what a stream
// keeps of earlier steps.
template <class B, class T, class Is>
constexpr bool find_kernel(Is is) {
  struct any_kernel;
  constexpr bool own_memory = backend::HasOwnMemory<B>;
  if (is("map")) return requires(const backend::operand<const T>* x, const backend::operand<T>* y) {
      map<any_kernel>(B{}, 1, 1, x, y);
    };
  if (is("matmul")) return requires(const T* x, T* y) {
      packed_size<1, 1>(B{});
      pack<1, 1>(B{}, x, y);
      matmul<1, 1>(B{}, 1, x, 1, x, y, 1);
    };
  if (is("matmul_transposed")) return requires(const T* x, T* y) {
      matmul_transposed<1, 1>(B{}, 1, x, 1, x, y, 1);
    };
  if (is("gradient_outer")) return requires(const T* x, T* y) {
      gradient_outer<1, 1>(B{}, 1, x, 1, x, 1, y);
    };
  if (is("gradient_sum")) return requires(const T* x, T* y) {
      gradient_sum<1>(B{}, 1, x, 1, y);
    };
  if (is("gather")) return requires(const int* n, const T* x, T* y) {
      gather<1>(B{}, 1, n, x, y, 1);
    };
  if (is("scatter_add")) return requires(const int* n, const T* x, T* y) {
      scatter_add<1>(B{}, 1, n, x, 1, -1, y);
    };
  if (is("scatter_add_by_frequency")) return requires(const int* n, const T* x, T* y) {
      scatter_add_by_frequency<1>(B{}, 1, n, 1, n, x, 1, -1, y);
    };
  if (is("axis_sum")) return requires(const T* x, T* y) {
      axis_sum<1>(B{}, 1, 1, x, 1, 1, y, 1);
    };
  if (is("accumulate_rows")) return requires(const T* x, T* y) {
      accumulate_rows<1>(B{}, 1, x, 1, y, 1);
    };
  if (is("axis_max")) return requires(const int* n, const T* x, T* y) {
      axis_max<1>(B{}, 1, 1, n, backend::operand<const T>{x, 1, 1}, y, 1);
    };
  if (is("shift"))
    return requires(const int* n, const backend::operand<const T>& x, const backend::operand<T>& y) {
      shift<1>(B{}, 1, 1, 1, n, x, y);
    };
  if (is("flip"))
    return requires(const int* n, const backend::operand<const T>& x, const backend::operand<T>& y) {
      flip<1>(B{}, 1, 1, n, x, y);
    };
  if (is("axis_softmax")) return requires(const int* n, const T* x, T* y) {
      axis_softmax<1>(B{}, 1, 1, n, x, y);
    };
  if (is("weighted_sum")) return requires(const T* x, T* y) {
      weighted_sum<1>(B{}, 1, 1, x, backend::operand<const T>{x, 1, 1}, y, 1);
    };
  // Patterns that use numbers of the whole run read them in the memory of the kernels.
  if (is("cross_entropy")) {
    if constexpr (own_memory)
      return requires(const int* n, const T* x, T* y, const backend::loss_numbers<T>& to) {
        mean_cross_entropy<1>(B{}, 1, x, 1, n, 1.0, y, to);
      };
    else return requires(const int* n, const T* x, T* y) {
        sum_cross_entropy<1>(B{}, 1, x, 1, n, T(1), y);
      };
  }
  if (is("sum_positions")) {
    if constexpr (own_memory)
      return requires(const int* n, const backend::operand<const T>& x, const backend::loss_numbers<T>& to) {
        mean_positions(B{}, 1, 1, n, x, x, 1.0, to);
      };
    else return requires(const int* n, const backend::operand<const T>& x) {
        sum_positions(B{}, 1, 1, n, x, x);
      };
  }
  if (is("positions_gradient")) {
    if constexpr (own_memory)
      return requires(const int* n, const backend::operand<T>& y, const backend::positions_sum* of) {
        positions_gradient(B{}, 1, 1, n, 1.0, of, y);
      };
    else return requires(const int* n, const backend::operand<T>& y) {
        positions_gradient(B{}, 1, 1, n, T(1), y);
      };
  }
  if (is("dropout")) {
    if constexpr (own_memory) return requires(const T* x, T* y, const backend::run_numbers* numbers) {
        dropout_elements(B{}, 1, 0.5, numbers, 1, x, y);
      };
    else return requires(const T* x, T* y) {
        dropout_elements(B{}, 1, 0.5, 1, 1, x, y);
      };
  }
  if (is("rows")) return requires(const int* n, int* m, const T* x, T* y) {
      set_all(B{}, 1, T(0), y);
      clear_rows<1>(B{}, 1, y, 1);
      clear_past_end<1>(B{}, 0, 1, 1, n, backend::operand<T>{y, 1, 1});
      clear_ended_rows<1>(B{}, 0, 1, n, y, 1);
      copy_rows<1>(B{}, 1, x, 1, y, 1);
      copy_rows_where<1>(B{}, true, 0, 1, n, x, 1, y, 1);
      accumulate_rows<1>(B{}, 1, x, 1, y, 1);
      lengths_at(B{}, 0, 1, n, n, m);
      numbers_of_tokens(B{}, 1, n, y);
      count_up(B{}, 1, y);
    };
  if (is("kept_rows"))
    return requires(const int* n, const T* x, T* y, const backend::operand<const T>& from,
                    const backend::operand<T>& to) {
      keep_rows<1>(B{}, 1, 1, 1, n, from, y);
      earlier_rows<1>(B{}, 1, 1, 1, n, 0, T(0), x, to);
    };
  if (is("gather_windows"))
    return requires(const windows& w, const int* n, const backend::operand<const T>& x,
                    const backend::operand<T>& y) {
      gather_windows<1>(B{}, w, extents{}, 1, n, T(0), x, y);
    };
  if (is("sum_windows"))
    return requires(const windows& w, const backend::operand<const T>& x, const backend::operand<T>& y) {
      sum_windows<1>(B{}, w, extents{}, 1, x, y);
    };
  return false;
}

// Does the backend have the kernel of this name?
template <class B, class T>
constexpr bool has_kernel(const label& kernel) {
  return find_kernel<B, T>([&](const char* known) { return kernel == label(known); });
}
// The names of all kernels. A template, because only checks of backends use it.
template <class T = float>
constexpr kernel_names known_kernels() {
  kernel_names all;
  find_kernel<int, T>([&](const char* known) {  // an int is no backend
    all.add(known);
    return false;
  });
  return all;
}

}  // namespace tenon::inline v0_1::engine
