// Sparse gradients of tables: embedding<V, D, sparse>. A training step reads, clears and updates only the rows of the
// table whose tokens are in its batch.
#pragma once

#include "tenon/engine/session/by_name.hpp"
#include "tenon/train/optimizers/optimizer.hpp"

#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace tenon::inline v0_1::engine {

struct sparse_table {
  int offset = 0, rows = 0, columns = 0, parameter = 0;

  constexpr std::ptrdiff_t end() const { return offset + std::ptrdiff_t(rows) * columns; }
};
// A look-up in such a table: the edge with its tokens, the table and the padding token.
struct sparse_gather {
  int tokens = 0, table = 0, padding = -1;
};

// The tables of a network whose gradients are sparse, in the order of the block, and the look-ups in them.
template <const auto& Net>
struct sparse_tables {
  static constexpr auto tables = [] {
    list<sparse_table, Net.operations.size + 1> all;
    for (int p = 0; p < Net.parameters.size; ++p)
      for (const operation& o : Net.operations) {
        if (!o.sparse) continue;
        const parameter& of = Net.parameters[o.parameters[0]];
        if (Net.parameters[p].frozen || Net.parameters[p].tied_to >= 0 ||
            Net.parameters[p].offset != of.offset)
          continue;
        all.add({of.offset, of.rows, of.columns, o.parameters[0]});
        break;
      }
    return all;
  }();
  static constexpr int table_at(int offset) {
    for (int t = 0; t < tables.size; ++t)
      if (tables[t].offset == offset) return t;
    return -1;
  }
  static constexpr auto gathers = [] {
    list<sparse_gather, Net.operations.size + 1> all;
    for (const operation& o : Net.operations)
      if (traits_of(o.kind).is_table)
        if (const int t = table_at(Net.parameters[o.parameters[0]].offset); t >= 0)
          all.add({o.in[0], t, o.skipped});
    return all;
  }();
  // A layer that multiplies by a sparse table has a gradient for all of its rows.
  static constexpr problem wrong = [] {
    for (const operation& o : Net.operations)
      if (!traits_of(o.kind).is_table)
        for (int p : o.parameters)
          if (const int t = table_at(Net.parameters[p].offset); t >= 0)
            return problem{.rule = sentence("'")
                                       .append(Net.parameters[tables[t].parameter].path.view())
                                       .append("' is sparse, and '")
                                       .append(o.path.view())
                                       .append("' has a gradient for all of its rows"),
                           .fix = "leave out sparse, or the tie"};
    return problem{};
  }();
};

template <class Rule>
concept SparseRule = requires(const Rule& rule) {
  static_cast<bool>(rule.takes_sparse());
};

template <class Network, class Rule>
struct unfit_sparse {
  static constexpr problem wrong = [] {
    if constexpr (Network::tables.size == 0) return problem{};
    else if constexpr (Network::wrong) return Network::wrong;
    else if constexpr (SparseRule<Rule>) return problem{};
    else
      return problem{
          .rule = sentence("update rule '")
                      .append(type_name<Rule>().view())
                      .append("' changes rows of a sparse table that have no gradient"),
          .fix = "take optimizers::sgd, optimizers::adagrad or optimizers::sparse_adam, or leave out sparse"};
  }();
};

// The pieces of a block of gradients that may be other than zero: f(first element, how many, which table: -1 if none).
template <class G, class Plan>
class touched_rows {
  using sparse = sparse_tables<Plan::net>;
  static constexpr int count = sparse::tables.size;
  static constexpr int learned_size = parameters<G, typename Plan::scalar>::learned_size;

 public:
  static constexpr bool is_sparse = true;

  touched_rows() {
    for (int t = 0; t < count; ++t) {
      rows_[t] = engine::memory<int>(static_cast<std::size_t>(sparse::tables[t].rows), use);
      is_touched_[t] = engine::memory<char>(static_cast<std::size_t>(sparse::tables[t].rows), use);
    }
  }
  void clear() {
    for (int t = 0; t < count; ++t) {
      for (int k = 0; k < touched_[t]; ++k) is_touched_[t].data()[rows_[t].data()[k]] = 0;
      touched_[t] = 0;
    }
  }
  // Adds the rows of a batch: `tokens` and `steps` of a session with that many rows, by edge and by axis.
  void add(const int* const* tokens, const int* steps, int batch) {
    for (const sparse_gather& gather : sparse::gathers) {
      const int axis = Plan::net.edges[gather.tokens].axis;
      const std::ptrdiff_t all = std::ptrdiff_t(axis < 0 ? 1 : steps[axis]) * batch;
      for (std::ptrdiff_t k = 0; k < all; ++k) {
        const int row = tokens[gather.tokens][k];
        if (row >= 0 && row != gather.padding) touch(gather.table, row);
      }
    }
  }
  // Adds the rows of another set: all, or those of the table at this place of the block.
  void add(const touched_rows& others, int offset = -1) {
    for (int t = 0; t < count; ++t)
      if (offset < 0 || offset == sparse::tables[t].offset)
        for (int k = 0; k < others.touched_[t]; ++k) touch(t, others.rows_[t].data()[k]);
  }

  // The set as numbers, for another process: put(number) for each. add reads one set, and returns its end.
  template <class Put>
  void write(Put put) const {
    for (int t = 0; t < count; ++t) {
      put(touched_[t]);
      for (int k = 0; k < touched_[t]; ++k) put(rows_[t].data()[k]);
    }
  }
  const int* add(const int* written) {
    for (int t = 0; t < count; ++t)
      for (int left = *written++; left > 0; --left) touch(t, *written++);
    return written;
  }

  // All of the block, or of a range of it: the touched rows of each table, and whole what is between tables.
  template <class F>
  void each(F f) const {
    each(0, learned_size, f);
  }
  template <class F>
  void each(std::ptrdiff_t from, std::ptrdiff_t end, F f) const {
    for (int t = 0; t < count; ++t) {
      const sparse_table& table = sparse::tables[t];
      if (table.end() <= from || table.offset >= end) continue;
      if (from < table.offset) f(from, table.offset - from);
      for (int k = 0; k < touched_[t]; ++k) {
        const std::ptrdiff_t row = table.offset + std::ptrdiff_t(rows_[t].data()[k]) * table.columns;
        const std::ptrdiff_t first = std::max(row, from), last = std::min(row + table.columns, end);
        if (first < last) f(first, last - first);
      }
      from = table.end();
    }
    if (from < end) f(from, end - from);
  }
  static characters name() { return literal<exact_text<path.size>(path)>; }
  static constexpr bool has_table(std::ptrdiff_t from, std::ptrdiff_t end) {
    for (const sparse_table& table : sparse::tables)
      if (from <= table.offset && table.offset < end) return true;
    return false;
  }

 private:
  void touch(int table, int row) {
    char& is_touched = is_touched_[table].data()[row];
    if (is_touched != 0) return;
    is_touched = 1;
    rows_[table].data()[touched_[table]++] = row;
  }

  static constexpr ir::name path =
      Plan::net.parameters[sparse::tables[0].parameter].path;  // of the first table
  static constexpr memory_use use{"the rows that a step touches", Plan::title};
  engine::memory<int> rows_[count];
  engine::memory<char> is_touched_[count];
  int touched_[count]{};
};

// It has a name: in an alias, nvcc 13 looks for the network of a G that is not known yet.
template <class G>
inline constexpr bool has_sparse_tables = sparse_tables<network_of<G>>::tables.size > 0;
template <class G, class Plan>
using touched_by =
    std::conditional_t<has_sparse_tables<G> &&
                           !backend::HasOwnMemory<typename Plan::backend>,  // there the whole block is cleared
                       touched_rows<G, Plan>,
                       whole_block<parameters<G, typename Plan::scalar>::learned_size>>;

}  // namespace tenon::inline v0_1::engine
