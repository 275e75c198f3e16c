// map on SIMD vectors: the fused elementwise kernel, a vector of features at a time.
#pragma once

#include "tenon/backend/cpu/map_steps.hpp"
#include "tenon/backend/cpu/math.hpp"
#include "tenon/backend/cpu/tag.hpp"
#include "tenon/backend/operand.hpp"
#include "tenon/program/kernel.hpp"

#include <concepts>

namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET {

namespace detail {

// The functions that a map uses: the equations' own, or faster ones.
template <class Backend, class T>
struct functions_of {
  template <opcode Code>
  using function = primitive<Code>;
};
template <class... Trades>
requires trades<cpu_with<Trades...>, fast_math>
struct functions_of<cpu_with<Trades...>, float> {
  template <opcode Code>
  using function = simd::fast_primitive<Code>;
};

template <class Kernel, class T, template <opcode> class Function = primitive, class Vector = simd::vector<T>>
struct vector_map {
  using vector = Vector;
  static constexpr int load_count = Kernel::body.loads.size, store_count = Kernel::body.stores.size;

  // One row of `width` features; it begins at given[l] and target[s].
  TENON_ALWAYS_INLINE static void row(int width, const T* const* sources, T* const* target) {
    const T* from[load_count + 1];
    T* to[store_count + 1];
    TENON_UNROLL for (int l = 0; l < load_count; ++l) from[l] = sources[l];
    TENON_UNROLL for (int s = 0; s < store_count; ++s) to[s] = target[s];
    vector loaded[load_count + 1], local[Kernel::body.code.size + 1], reduced[store_count + 1];
    if constexpr (broadcasts<Kernel>)
      simd::repeat<load_count>([&](auto l) TENON_ALWAYS_INLINE {
        if constexpr (Kernel::body.loads[l].broadcast) loaded[l] = vector(*from[l]);
      });
    if constexpr (reduces<Kernel>)
      simd::repeat<store_count>([&](auto s) TENON_ALWAYS_INLINE {
        constexpr opcode reduction = Kernel::body.stores[s].reduction;
        if constexpr (reduction != opcode::copy) reduced[s] = vector(nothing_yet<T>(reduction));
      });
    const auto some = [&](int j, auto lanes) TENON_ALWAYS_INLINE {
      simd::repeat<load_count>([&](auto l) TENON_ALWAYS_INLINE {
        if constexpr (!Kernel::body.loads[l].broadcast) loaded[l] = lanes.load(from[l] + j);
      });
      evaluate<Kernel, Function>(loaded, local);
      simd::repeat<store_count>([&](auto s) TENON_ALWAYS_INLINE {
        constexpr map_store store = Kernel::body.stores[s];
        const vector y = local[store.local];
        if constexpr (store.accumulates()) {
          lanes.store(to[s] + j, lanes.load(to[s] + j) + y);
        } else if constexpr (store.reduction == opcode::copy) {
          lanes.store(to[s] + j, y);
        } else {
          const vector kept = lanes.keep(y, nothing_yet<T>(store.reduction));
          if constexpr (store.reduction == opcode::row_sum) reduced[s] = reduced[s] + kept;
          else reduced[s] = select(reduced[s] < kept, kept, reduced[s]);
        }
      });
    };
    int j = 0;
    for (; j + vector::size <= width; j += vector::size) some(j, simd::whole<vector>{});
    if constexpr (Kernel::body.width % vector::size != 0)
      if (j < width) some(j, simd::part<vector>(width - j));
    if constexpr (reduces<Kernel>)
      simd::repeat<store_count>([&](auto s) TENON_ALWAYS_INLINE {
        constexpr opcode reduction = Kernel::body.stores[s].reduction;
        if constexpr (reduction != opcode::copy)
          *to[s] = reduction == opcode::row_sum ? sum(reduced[s]) : highest(reduced[s]);
      });
  }

  // A vector of features of a row in a stage, where some loads are sums.
  struct vector_of_row {
    int row, first;  // the row; its feature in the first lane
    const T* packed;
    const vector* sums;
  };
  // Several vectors side by side, so that their exponentials overlap. Not for maps with reductions.
  template <int Count, class Lanes>
  TENON_ALWAYS_INLINE static void evaluate_vectors(const vector_of_row (&of)[Count], Lanes lanes,
                                                   const operand<const T>* loads, const operand<T>* stores) {
    vector loaded[Count][load_count + 1], local[Count][Kernel::body.code.size + 1];
    const auto at = [](const auto& o, const vector_of_row& v)
                        TENON_ALWAYS_INLINE { return o.data + v.row * o.row + v.first; };
    simd::repeat<load_count>([&](auto l) TENON_ALWAYS_INLINE {
      constexpr map_load load = Kernel::body.loads[l];
      TENON_UNROLL for (int i = 0; i < Count; ++i) {
        if constexpr (load.sum >= 0) loaded[i][l] = of[i].sums[load.sum];
        else if constexpr (load.packed >= 0)
          loaded[i][l] = vector::load(of[i].packed + load.packed * vector::size);
        else if constexpr (load.broadcast) loaded[i][l] = vector(loads[l].data[of[i].row * loads[l].row]);
        else loaded[i][l] = lanes.load(at(loads[l], of[i]));
      }
    });
    evaluate_together<Kernel, Function>(loaded, local);
    simd::repeat<store_count>([&](auto s) TENON_ALWAYS_INLINE {
      constexpr int stored = Kernel::body.stores[s].local;
      TENON_UNROLL for (int i = 0; i < Count; ++i) lanes.store(at(stores[s], of[i]), local[i][stored]);
    });
  }

  // Can all rows of all steps follow each other without a gap in every operand? Then they are one long row.
  static constexpr bool may_be_dense = [] {
    for (const map_load& load : Kernel::body.loads)
      if (load.broadcast) return false;
    for (const map_store& store : Kernel::body.stores)
      if (store.reduction != opcode::copy || store.over_steps) return false;
    return true;
  }();
  static bool is_dense(int steps, int rows, const operand<const T>* loads, const operand<T>* stores) {
    if constexpr (!may_be_dense) return false;
    constexpr int width = Kernel::body.width;
    const auto follows = [&](const auto& o) {
      return (rows == 1 || o.row == width) && (steps == 1 || o.step == std::ptrdiff_t(rows) * width);
    };
    for (int l = 0; l < load_count; ++l)
      if (!follows(loads[l])) return false;
    for (int s = 0; s < store_count; ++s)
      if (!follows(stores[s])) return false;
    return true;
  }
};

}  // namespace detail

template <class Kernel, std::derived_from<cpu> Backend, class T>
[[gnu::noinline]] TENON_FLATTEN void map(Backend, int steps, int rows, const operand<const T>* loads,
                                         const operand<T>* stores) {
  using kernel = detail::vector_map<Kernel, T, detail::functions_of<Backend, T>::template function>;
  using over_steps = detail::steps_of_rows<Kernel, T, detail::functions_of<Backend, T>::template function>;
  if constexpr (over_steps::pays) {
    over_steps::run(steps, rows, loads, stores);
  } else {
    const T* from[kernel::load_count + 1];
    T* to[kernel::store_count + 1];
    const auto begin = [&](int t) {
      for (int l = 0; l < kernel::load_count; ++l) from[l] = loads[l].data + t * loads[l].step;
      for (int s = 0; s < kernel::store_count; ++s) to[s] = stores[s].data + t * stores[s].step;
    };
    int width = Kernel::body.width;
    if (kernel::is_dense(steps, rows, loads, stores)) {
      width *= steps * rows;
      steps = rows = 1;
    }
    for (int t = 0; t < steps; ++t) {
      begin(t);
      for (int r = 0; r < rows; ++r) {
        kernel::row(kernel::may_be_dense ? width : Kernel::body.width, from, to);
        for (int l = 0; l < kernel::load_count; ++l) from[l] += loads[l].row;
        for (int s = 0; s < kernel::store_count; ++s) to[s] += stores[s].row;
      }
    }
  }
}

// A map of one row whose width is known only at run time. The kernel's own width, an odd number, tells which operands are single numbers.
template <class Kernel, std::derived_from<cpu> Backend, class T>
[[gnu::noinline]] TENON_FLATTEN void map_row(Backend, int width, const operand<const T>* loads,
                                             const operand<T>* stores) {
  static_assert(Kernel::body.width % 2 != 0);  // any width has a rest
  using kernel = detail::vector_map<Kernel, T, detail::functions_of<Backend, T>::template function>;
  const T* from[kernel::load_count + 1];
  T* to[kernel::store_count + 1];
  for (int l = 0; l < kernel::load_count; ++l) from[l] = loads[l].data;
  for (int s = 0; s < kernel::store_count; ++s) to[s] = stores[s].data;
  kernel::row(width, from, to);
}

// Several maps, one after the other, none of which reads results of another for other rows or steps. The operands
// begin at step `first`; rows end at their lengths, if there are any.
template <class... Kernels, std::derived_from<cpu> Backend, class T>
[[gnu::noinline]] TENON_FLATTEN void map_chain(Backend, int first, int steps, int rows, const int* lengths,
                                               const operand<const T>* const* loads,
                                               const operand<T>* const* stores) {
  detail::chain_of_maps<T, detail::functions_of<Backend, T>::template function, Kernels...>::run(
      first, steps, rows, lengths, loads, stores);
}
// Is map_chain faster than map after map?
template <class T, class... Kernels, std::derived_from<cpu> Backend>
constexpr bool chains_maps(Backend) {
  return detail::chain_of_maps<T, detail::functions_of<Backend, T>::template function, Kernels...>::pays;
}

}  // namespace tenon::inline v0_1::backend::inline TENON_INSTRUCTION_SET
