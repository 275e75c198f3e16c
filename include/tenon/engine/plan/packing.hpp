// Packing: the parameters of a schedule in the order in which a backend's kernels read them.
#pragma once

#include "tenon/backend/operand.hpp"
#include "tenon/engine/plan/abilities.hpp"
#include "tenon/lowering/stage.hpp"
#include "tenon/meta/repeat.hpp"
#include "tenon/program/encoding.hpp"

#include <algorithm>
#include <utility>

namespace tenon::inline v0_1::engine {

using backend::piece;

namespace detail {
// A map of a schedule, with the places of its operands. `code`, which a backend gets, may be shared by other schedules.
template <class Schedule, int Kernel>
struct stage_maker {
  schedule_view of = Schedule::value;
  constexpr stage_body make() const { return stage_of(of, Kernel); }
};
template <class Schedule, int Kernel>
struct kernel_body {
  static constexpr stage_view stage = shortened<stage_maker<Schedule, Kernel>, basic_stage>::value;
  static constexpr map_view body = stage.body;
  using code = kernel_code<encode<encoded_size(stage)>(stage)>;
};
}  // namespace detail

// The packed parameters of a kernel (the weights of a product or the vectors of a stage): how many elements they
// are, and how they are filled in.
template <class Schedule, int K, class Backend>
struct packed_parameters {
  static constexpr const auto& s = Schedule::value;
  static constexpr kernel mine = s.kernels[K];
  static constexpr int symbol = s.equations.code[mine.value >= 0 ? mine.value : 0].first;  // of a product

  static constexpr long size() {
    if constexpr (stage.packed > 0) return packed_vectors_size<mine.width>(Backend{}, stage.packed);
    else if constexpr (mine.kind == kernel_kind::matmul_transposed && mine.neighbours > 0)
      return packed_windows_size<depth(), mine.neighbours, outputs() / mine.neighbours>(Backend{});
    else if constexpr (mine.kind == kernel_kind::matmul_transposed && !mine.of_table)
      return transposed_size();
    else if constexpr (mine.kind != kernel_kind::matmul) return 0;
    else if constexpr (mine.stage < 0) return packed_size<outputs(), depth()>(Backend{});
    else return packed_stage_size<units(), depth()>(Backend{}, owner(), product());
  }
  template <class T>
  static void fill(const T* const* symbols, T* packed) {
    if constexpr (stage.packed > 0) {
      fill_vectors(symbols, packed);
    } else if constexpr (mine.kind == kernel_kind::matmul) {
      const T* const w = symbols[symbol];
      if constexpr (mine.stage < 0) {
        pack<outputs(), depth()>(Backend{}, w, packed);
      } else {
        constexpr auto layout = layout_of_stage<units(), T>(Backend{}, owner(), product());
        constexpr stage_product columns = product();
        pack_stage<units(), depth()>(Backend{}, layout, columns, w, packed);
      }
    } else if constexpr (mine.neighbours > 0 && size() > 0) {
      const T* const w = symbols[symbol];
      pack_windows<depth(), mine.neighbours, outputs() / mine.neighbours>(Backend{}, w, packed);
    } else if constexpr (size() > 0) {
      const T* const w = symbols[symbol];
      pack_transposed<depth(), outputs()>(Backend{}, w, packed);
    }
  }

 private:
  template <class T>
  static void fill_vectors(const T* const* symbols, T* packed) {
    if constexpr (abilities_of<Backend, T>.pack_stage_vectors) {
      backend::stage_vector<T> all[stage.vectors.size + 1];
      repeat<stage.vectors.size>([&](auto v) {
        constexpr packed_vector of = stage.vectors[v];
        all[v] = {symbols[of.symbol], of.number};
      });
      pack_stage_vectors<mine.width>(Backend{}, stage.packed, stage.vectors.size, all, packed);
    } else {
      constexpr long elements = size();
      set_all(Backend{}, elements, T(0), packed);
      repeat<stage.vectors.size>([&](auto v) {
        constexpr packed_vector of = stage.vectors[v];
        add_stage_vector<mine.width>(Backend{}, stage.packed, of.number, symbols[of.symbol], packed);
      });
    }
  }
  static constexpr int outputs() { return s.equations.code[mine.value].size; }
  static constexpr int depth() { return s.equations.code[s.equations.code[mine.value].a].size; }
  static constexpr long transposed_size() {
    if constexpr (requires { packed_transposed_size<depth(), outputs()>(Backend{}); })
      return packed_transposed_size<depth(), outputs()>(Backend{});
    else return 0;
  }
  static constexpr int units() { return s.kernels[mine.stage].width; }
  static constexpr stage_view owner() { return detail::kernel_body<Schedule, mine.stage>::stage; }
  static constexpr stage_product product() {
    int p = 0;
    while (owner().products[p].kernel != K) ++p;
    return owner().products[p];
  }
  static constexpr stage_view stage = [] {
    if constexpr (mine.kind == kernel_kind::map) return detail::kernel_body<Schedule, K>::stage;
    else return stage_view{};
  }();
};

// A concept instead of a requires in the function below: with that function's own constants, nvcc finds it false, but
// only for the device.
template <class Backend, int N, int K>
concept HasOuterScratch = requires {
  outer_scratch_size<N, K>(Backend{});
};

// Elements of scratch that a kernel needs.
template <class Schedule, int K, class Backend>
constexpr long scratch_of() {
  if constexpr (Schedule::value.kernels[K].kind == kernel_kind::gradient_outer &&
                !Schedule::value.kernels[K].of_table) {
    constexpr instruction i = Schedule::value.equations.code[Schedule::value.kernels[K].value];
    constexpr int N = Schedule::value.equations.code[i.a].size,
                  width = Schedule::value.equations.code[i.b].size;
    constexpr int neighbours = Schedule::value.kernels[K].neighbours;
    if constexpr (neighbours > 0)
      return outer_windows_scratch_size<N, neighbours, width / neighbours>(Backend{});
    else if constexpr (HasOuterScratch<Backend, N, width>) return outer_scratch_size<N, width>(Backend{});
  }
  return 0;
}

// A piece of the packing of `all` elements, in whole kernels: those whose middle lies in it.
class packing_shard {
 public:
  packing_shard(piece mine, long all) : mine_(mine), all_(all) {}
  // The next kernel packs `size` elements. Does it belong to this piece?
  bool takes(long size) {
    const long middle = before_ + size / 2;
    before_ += size;
    return middle * mine_.count / all_ == mine_.number;
  }

 private:
  piece mine_;
  long all_, before_ = 0;
};

namespace detail {
// The kernels whose parameters are packed.
template <class Schedule, class Backend>
constexpr auto packing_kernels = []<int... K>(std::integer_sequence<int, K...>) {
  list<int, (0 + ... + (packed_parameters<Schedule, K, Backend>::size() > 0))> all;
  ((packed_parameters<Schedule, K, Backend>::size() > 0 ? void(all.add(K)) : void()), ...);
  return all;
}
(std::make_integer_sequence<int, Schedule::value.kernels.size>{});
}  // namespace detail

// Packs the parameters of a schedule that belong to this shard: packed[k] is the place of those of kernel k.
template <class Schedule, class Backend, class T>
void pack_parameters(const T* const* symbols, T* const* packed, packing_shard& shard) {
  repeat<detail::packing_kernels<Schedule, Backend>.size>([&](auto n) {
    constexpr int k = detail::packing_kernels<Schedule, Backend>[n];
    using parameters_of_kernel = packed_parameters<Schedule, k, Backend>;
    constexpr long size = parameters_of_kernel::size();
    if (shard.takes(size)) parameters_of_kernel::fill(symbols, packed[k]);
  });
}

}  // namespace tenon::inline v0_1::engine
