// output_names: the names of edges that later entries can read, "node" and "node.inner", and whether they are read.
#pragma once

#include "tenon/diagnostics/problem.hpp"
#include "tenon/graph/network.hpp"
#include "tenon/meta/list.hpp"

namespace tenon::inline v0_1::ir {

class output_names {
 public:
  static constexpr int capacity = 320 * room_of_graphs;

  constexpr int size() const { return all_.size; }
  constexpr void add(const name& path, int edge) { all_.add({path, edge}); }

  // Returns the edge of the name and marks it as read; -1: there is none. Of equal names, the last added one counts.
  constexpr int find(const name& path) {
    for (int k = all_.size - 1; k >= 0; --k)
      if (all_[k].path == path) {
        all_[k].is_used = true;
        return all_[k].edge;
      }
    return -1;
  }
  constexpr bool has(const name& path) const {
    for (const output& n : all_)
      if (n.path == path) return true;
    return false;
  }
  // Of the names from number `first` on that are directly below `scope`: the first that nothing has read; empty: there
  // is none. Clears the marks: what a nested graph reads from its own nodes does not count as a use of that graph.
  constexpr name take_first_unread(int first, const name& scope) {
    name unread{};
    bool is_used = false;  // second outputs are named before their node
    for (int k = first; k < all_.size; ++k) {
      is_used = is_used || all_[k].is_used;
      all_[k].is_used = false;
      if (all_[k].path.view().find(".", static_cast<std::size_t>(scope.size) + 1) != characters::npos)
        continue;
      if (!is_used && unread.empty()) unread = all_[k].path;
      is_used = false;
    }
    return unread;
  }
  // "did you mean 'embedded'?", or `otherwise` if no known name in the scope is close to the one asked for.
  constexpr sentence suggest(const name& scope, characters asked, const char* otherwise) const {
    nearest known{name(asked)};
    const std::size_t outer = scope.empty() ? 0 : scope.view().size() + 1;
    for (const output& n : all_)
      if (n.path.view().starts_with(scope.view()) && n.path.view().size() > outer)
        known.consider(n.path.view().substr(outer));
    return known.suggestion(otherwise);
  }

 private:
  struct output {
    name path{};
    int edge = -1;
    bool is_used = false;
  };
  list<output, capacity> all_{};
};

}  // namespace tenon::inline v0_1::ir
