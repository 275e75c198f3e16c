// parameters<G>: the values of all parameters of a graph in one aligned block, found by name:
// "states.weight_ih_l0_reverse". A const block may be used by any number of sessions and threads at once. Using
// a block that was moved from is an input_error; it may be assigned to.
#pragma once

#include "tenon/backend/random.hpp"
#include "tenon/diagnostics/input_error.hpp"
#include "tenon/graph/graph.hpp"
#include "tenon/meta/repeat.hpp"
#include "tenon/tensor/memory.hpp"
#include "tenon/tensor/view.hpp"

#include <atomic>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace tenon {

namespace engine {
[[noreturn, gnu::noinline]] inline void fail_moved_from(characters title) {
  throw input_error("these parameters of graph '" + std::string(title) +
                    "' were moved from; assign to them before they are used again");
}
}  // namespace engine

// The start of every random sequence: same binary, same seed, same bits.
struct seed {
  std::uint64_t value = 0;
};

// Of parameters<graph> gradients(zeros{}).
struct zeros {};

template <class G, class T>
class parameters;

namespace engine {
template <class G, text Name>
struct unknown_parameter {
  static constexpr problem wrong = [] {
    nearest known{Name};
    for (const parameter& p : network_of<G>.parameters) known.consider(p.path);
    return problem{.rule = sentence("the graph has no parameter '").append(Name.view()).append("'"),
                   .fix = known.suggestion("parameters<G>::table lists them")};
  }();
};
struct parameter_access {  // lets the functions behind the class in
  template <int P, class G, class T>
  static view<T> get(parameters<G, T>& theta) {
    theta.touch();
    return theta.template shaped<P>(theta.owned());
  }
  template <int P, class G, class T>
  static view<const T> get(const parameters<G, T>& theta) {
    return theta.template shaped<P>(theta.owned());
  }
};
template <class T>
struct unfit_scalar {
  static constexpr problem wrong = [] {
    if (std::floating_point<T>) return problem{};
    return problem{
        .rule = sentence("parameters of ").append(type_name<T>().view()).append(" cannot be learned"),
        .fix = "write parameters<graph>, or parameters<graph, double>"};
  }();
};
template <class G, text Name>
struct parameter_of_temporary {
  static constexpr problem wrong{.rule = sentence("parameter '")
                                             .append(Name.view())
                                             .append("' is a view into a block that ends with this line"),
                                 .fix = "give the block a name: parameters<graph> theta;"};
};
template <class Theta, class Wanted>
concept OtherThan = !std::convertible_to<const Theta&, const Wanted&>;
// A name as an argument of the function, for one of its template: Call is how it is written.
template <class, text Call>
struct name_as_argument {
  static constexpr problem wrong{.rule = "the name stands in angle brackets",
                                 .fix = sentence("write ").append(Call.view())};
};
// What is given where a block of G in T starts, or is assigned to.
template <class G, class T, class Given>
struct unfit_start {
  static constexpr problem wrong = [] {
    if constexpr (requires { typename Given::graph_type; }) {
      if (!std::same_as<typename Given::graph_type, G>)
        return problem{.rule = "these are the parameters of another graph",
                       .fix = "copy what both have by name: get<\"node.weight\">(theta)"};
      return problem{
          .rule = sentence("the parameters given are ").append(type_name<typename Given::scalar>().view()),
          .fix = sentence("write parameters<graph, ")
                     .append(type_name<T>().view())
                     .append(">, or copy each number of data()")};
    } else {
      return problem{
          .rule = sentence("'").append(type_name<Given>().view()).append("' is no block of parameters"),
          .fix = "start one with a seed: parameters<graph> theta(seed{1}), or theta.initialize(seed{1})"};
    }
  }();
};
// The first numbers of parameter `number`: `count` of them in rows of `columns`.
template <class T>
void fill_parameter(T* x, int number, int count, int columns, initializer start, seed s) {
  for (int i = 0; i < count; i += 4) {
    const auto random =
        backend::philox(s.value, static_cast<std::uint64_t>(number) + (std::uint64_t{1} << 63),
                        static_cast<std::uint64_t>(i / 4));
    double u[4];
    for (int k = 0; k < 4; ++k) u[k] = (double(random.word[k]) + 0.5) * 0x1p-32;
    if (start.how == initial::normal) {  // Box and Muller 1958
      constexpr double turn = 6.283185307179586;
      const double r0 = std::sqrt(-2 * std::log(u[0])), r1 = std::sqrt(-2 * std::log(u[2])), a0 = turn * u[1],
                   a1 = turn * u[3];
      u[0] = r0 * std::cos(a0), u[1] = r0 * std::sin(a0), u[2] = r1 * std::cos(a1), u[3] = r1 * std::sin(a1);
    } else {
      for (double& v : u) v = start.how == initial::uniform ? 2 * v - 1 : 1;
    }
    for (int k = 0; k < 4 && i + k < count; ++k) x[i + k] = static_cast<T>(start.scale * u[k]);
  }
  if (start.zero_row >= 0)
    for (int j = 0; j < columns; ++j) x[start.zero_row * columns + j] = T(0);
}

}  // namespace engine

template <class G, class T = float>
class parameters {
  static_assert(tenon::detail::say<tenon::detail::error_in<detail::problem_of<G, void>>>());
  static_assert(tenon::detail::say<tenon::detail::error_in<engine::unfit_scalar<T>>>());

 public:
  using graph_type = G;
  using scalar = T;
  static constexpr const auto& table = network_of<G>.parameters;  // names, shapes, offsets: constants
  static constexpr int block_size = network_of<G>.parameter_elements;

  // Started as each layer describes, PyTorch's distributions, from a seed: the same for all programs without one.
  parameters() : parameters(seed{}) {}
  explicit parameters(seed s) : parameters(zeros{}) { initialize(s); }
  explicit parameters(zeros) : block_(block_size, {"a block of parameters", ir::title_of<G>()}) {}
  template <engine::OtherThan<parameters> Given>
  explicit parameters(const Given&) {
    tenon::detail::say<tenon::detail::error_in<engine::unfit_start<G, T, Given>>>();
  }
  template <engine::OtherThan<parameters> Given>
  parameters& operator=(const Given&) {
    tenon::detail::say<tenon::detail::error_in<engine::unfit_start<G, T, Given>>>();
    return *this;
  }

  void initialize(seed s) {
    ir::repeat<table.size>([&](auto p) {
      constexpr ir::parameter mine = table[p];
      if constexpr (mine.tied_to < 0)
        engine::fill_parameter(owned() + mine.offset, p, mine.elements(), mine.columns, mine.start, s);
    });
    touch();
  }

  // How many numbers are learned; tied parameters count once.
  static constexpr long count() { return counted; }

  // Calls f(name, view) for every parameter in the order of the table.
  template <class F>
  void for_each(F f) {
    touch();
    ir::repeat<table.size>([&](auto p) { f(path_of<p>(), shaped<p>(owned())); });
  }
  template <class F>
  void for_each(F f) const {
    ir::repeat<table.size>([&](auto p) { f(path_of<p>(), shaped<p>(owned())); });
  }

  // The whole block, block_size elements: what optimisers walk over.
  T* data() {
    touch();
    return owned();
  }
  const T* data() const { return owned(); }
  void set_zero() { std::fill_n(data(), block_size, T(0)); }

  // Changes whenever the block is opened for writing; no two states of any blocks share one.
  std::uint64_t revision() const { return revision_; }

 private:
  friend engine::parameter_access;

  memory<T> block_;
  std::uint64_t revision_ = next_revision();

  static std::uint64_t next_revision() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
  }
  void touch() { revision_ = next_revision(); }

  T* owned() {
    check_owned();
    return block_.data();
  }
  const T* owned() const {
    check_owned();
    return block_.data();
  }
  // A block that was moved from has no memory.
  void check_owned() const {
    if (block_.size() != std::size_t(block_size)) engine::fail_moved_from(ir::title_of<G>());
  }

  static constexpr long counted = [] {
    long n = 0;
    for (const ir::parameter& p : table) n += p.tied_to < 0 ? p.elements() : 0;
    return n;
  }();
  // Of parameter P: a program that runs has no use for the whole table.
  template <int P>
  static std::string_view path_of() {
    constexpr ir::name path = table[P].path;
    return ir::literal<ir::exact_text<path.size>(path)>;
  }
  template <int P, class U>
  static view<U> shaped(U* block) {
    constexpr int offset = table[P].offset, rows = table[P].rows, columns = table[P].columns;
    if constexpr (columns == 0) return view<U>(block + offset, {rows}, {1});
    else return view<U>(block + offset, {rows, columns}, {columns, 1});
  }
};

// The parameter of this name, [rows, columns] or [rows]: get<"logits.weight">(theta). Writing through the view of a non-const block
// is seen by the runs that follow; take the view again after a run before writing more.
template <ir::text Name, class G, class T>
view<T> get(parameters<G, T>& theta) {
  constexpr int p = network_of<G>.find_parameter(Name);
  if constexpr (p < 0 && fits<G>)
    tenon::detail::say<tenon::detail::error_in<engine::unknown_parameter<G, Name>>>();
  return engine::parameter_access::get < p < 0 ? 0 : p > (theta);
}
template <ir::text Name, class G, class T>
view<const T> get(const parameters<G, T>& theta) {
  constexpr int p = network_of<G>.find_parameter(Name);
  if constexpr (p < 0 && fits<G>)
    tenon::detail::say<tenon::detail::error_in<engine::unknown_parameter<G, Name>>>();
  return engine::parameter_access::get < p < 0 ? 0 : p > (theta);
}
template <ir::text Name, class G, class T>
view<const T> get(const parameters<G, T>&&) {
  tenon::detail::say<tenon::detail::error_in<engine::parameter_of_temporary<G, Name>>>();
  return {};
}
// The name as an argument: get(theta, "logits.weight").
template <class G, class T, class... Given>
void get(const parameters<G, T>&, const Given&...) {
  tenon::detail::say<tenon::detail::error_in<engine::name_as_argument<G, "get<\"node.weight\">(theta)">>>();
}

}  // namespace tenon
