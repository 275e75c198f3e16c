// parameters<G>: the values of all parameters of a graph in one aligned block, found by name:
// "states.weight_ih_l0_reverse". Any number of sessions and threads may use a const block at once. Using a block that
// was moved from is an input_error; it may be assigned to.
#pragma once

#include "tenon/diagnostics/wrong_call.hpp"

#include "tenon/diagnostics/input_error.hpp"
#include "tenon/graph/graph.hpp"
#include "tenon/meta/repeat.hpp"
#include "tenon/parameters/block.hpp"
#include "tenon/parameters/block_errors.hpp"
#include "tenon/parameters/fill.hpp"
#include "tenon/tensor/view.hpp"

#include <atomic>
#include <cstdint>
#include <string_view>

namespace tenon::inline v0_1 {

namespace engine {
[[noreturn, gnu::noinline]] inline void refuse_moved_from(characters title) {
  throw input_error("these parameters of graph '" + std::string(title) +
                    "' were moved from; assign to them before they are used again");
}
}  // namespace engine

// Starts a block at zero: parameters<graph> gradients(zeros{}).
struct zeros {};

template <class G, class T>
class parameters;

namespace engine {
template <class G, text Name>
concept HasParameter = !fits<G> || network_of<G>.find_parameter(Name) >= 0;
template <class G, text Name>
struct unfit_name_of_parameter {
  static constexpr problem wrong = [] {
    if (HasParameter<G, Name>) return problem{};  // a compiler may also ask for a name that exists
    nearest known{Name};
    for (const parameter& p : network_of<G>.parameters) known.consider(p.path);
    return problem{.rule = sentence("the graph has no parameter '").append(Name.view()).append("'"),
                   .fix = known.suggestion("parameters<G>::table lists them")};
  }();
};
struct parameter_access {  // for the functions after the class
  template <int P, class G, class T>
  static auto get(parameters<G, T>& theta) {
    theta.touch();
    return theta.template shaped<P>(theta.owned());
  }
  template <int P, class G, class T>
  static auto get(const parameters<G, T>& theta) {
    return theta.template shaped<P>(theta.owned());
  }
  // Where the kernels of a backend find the numbers.
  template <class Backend, class G, class T>
  static const T* on(const parameters<G, T>& theta) {
    if constexpr (!backend::HasOwnMemory<Backend>) return theta.data();
    else {
      theta.check_owned();
      return theta.block_.template on<Backend>();
    }
  }
  template <class Backend, class G, class T>
  static T* write_on(parameters<G, T>& theta) {
    if constexpr (!backend::HasOwnMemory<Backend>) return theta.data();
    else {
      theta.check_owned();
      theta.touch();
      return theta.block_.template write_on<Backend>();
    }
  }
  template <class Backend, class G, class T>
  static void clear_on(parameters<G, T>& theta) {
    theta.check_owned();
    theta.touch();
    set_all(Backend{}, parameters<G, T>::block_size, T(0), theta.block_.template overwrite_on<Backend>());
  }
  template <int P, class G, class T>
  static std::string_view path() {
    return parameters<G, T>::template path_of<P>();
  }
};
// The block in the memory that a backend's kernels use: for reading, for writing, and with zeros.
template <class Backend, class G, class T>
const T* data_on(const parameters<G, T>& theta) {
  return parameter_access::on<Backend>(theta);
}
template <class Backend, class G, class T>
T* data_on(parameters<G, T>& theta) {
  return parameter_access::write_on<Backend>(theta);
}
template <class Backend, class G, class T>
void clear_on(parameters<G, T>& theta) {
  if constexpr (!backend::HasOwnMemory<Backend>) theta.set_zero();
  else parameter_access::clear_on<Backend>(theta);
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
  static constexpr int learned_size =
      network_of<G>.learned_elements;  // at the front of the block; frozen parameters come after them

  // Initialised as each layer describes, by default as in PyTorch, from a seed; without one,
  // all programs have the same.
  parameters() : parameters(seed{}) {}
  explicit parameters(seed s) : parameters(zeros{}) { initialize(s); }
  explicit parameters(zeros) : block_(block_size, {"a block of parameters", ir::title_of<G>()}) {}
#define TENON_SENTENCE \
  "these are the parameters of another graph; copy what both have by name: get<\"node.weight\">(theta)"
  template <TENON_SAYS_AND(TENON_SENTENCE) engine::OtherThan<parameters> Given, class... More>
  requires(engine::IsBlock<Given> && !engine::IsBlockOf<Given, G>)  //
      explicit parameters(const Given&, const More&...) TENON_DELETED(TENON_SENTENCE);
#undef TENON_SENTENCE
#define TENON_SENTENCE                                                                                   \
  "the parameters given are of another scalar; write parameters<graph, double>, or copy each number of " \
  "data()"
  template <TENON_SAYS_AND(TENON_SENTENCE) engine::OtherThan<parameters> Given, class... More>
  requires engine::IsBlockOf<Given, G>
  explicit parameters(const Given&, const More&...) TENON_DELETED(TENON_SENTENCE);
#undef TENON_SENTENCE
#define TENON_SENTENCE                                                                   \
  "the argument is not a block of parameters; start one with a seed: parameters<graph> " \
  "theta(seed{1}), or theta.initialize(seed{1})"
  template <TENON_SAYS_AND(TENON_SENTENCE) engine::OtherThan<parameters> Given, class... More>
  requires(!engine::IsBlock<Given> && !std::same_as<G, engine::graph_as_value>)  //
      explicit parameters(const Given&, const More&...) TENON_DELETED(TENON_SENTENCE);
#undef TENON_SENTENCE
  template <class... Given>
  requires std::same_as<G, engine::graph_as_value>  // already reported
  explicit parameters(const Given&...) : parameters() {}
  template <engine::OtherThan<parameters> Given>
  tenon::detail::refused<tenon::detail::why<engine::unfit_start<G, T, Given>>> operator=(const Given&);

  void initialize(seed s) {
    ir::repeat<table.size>([&](auto p) {
      constexpr engine::parameter_start how = table[p];
      constexpr int offset = table[p].offset;
      if constexpr (table[p].tied_to < 0) engine::fill_parameter(owned() + offset, how, p, s);
    });
    touch();
  }

  // How many numbers are learned: tied parameters count once, frozen ones do not.
  static constexpr long count() { return element_count; }

  // Calls f(name, view) for every parameter in the order of the table.
  template <class F>
  void for_each(F f) {
    touch();
    ir::repeat<table.size>([&](auto p) { f(path_of<p>(), view<T>(shaped<p>(owned()))); });
  }
  template <class F>
  void for_each(F f) const {
    ir::repeat<table.size>([&](auto p) { f(path_of<p>(), view<const T>(shaped<p>(owned()))); });
  }

  // The whole block, block_size elements; optimisers walk over the first learned_size of them.
  T* data() {
    touch();
    return owned();
  }
  const T* data() const { return owned(); }
  void set_zero() { std::fill_n(data(), block_size, T(0)); }

  // Changes whenever the block is opened for writing; it is unique to one state of one block.
  std::uint64_t revision() const { return revision_; }

 private:
  friend engine::parameter_access;

  engine::parameter_block<T> block_;
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
    if (block_.size() != std::size_t(block_size)) engine::refuse_moved_from(ir::title_of<G>());
  }

  static constexpr long element_count = [] {
    long n = 0;
    for (const ir::parameter& p : table) n += p.tied_to < 0 && !p.frozen ? p.elements() : 0;
    return n;
  }();
  // For one parameter P: a program that runs does not need the whole table.
  template <int P>
  static std::string_view path_of() {
    constexpr ir::name path = table[P].path;
    return ir::literal<ir::exact_text<path.size>(path)>;
  }
  template <int P, class U>
  static auto shaped(U* block) {
    constexpr int offset = table[P].offset, rows = table[P].rows, columns = table[P].columns;
    if constexpr (columns == 0) return view<U, 1>(block + offset, {rows}, {1});
    else return view<U, 2>(block + offset, {rows, columns}, {columns, 1});
  }
};

template <class Given, class... More>
requires(!engine::IsBlock<Given>) parameters(const Given&, const More&...)
->parameters<engine::graph_as_value>;

// The parameter of this name, [rows, columns] or [rows]: get<"logits.weight">(theta). Later runs see what is written
// through the view of a non-const block; to write more after a run, take the view again.
template <ir::text Name, engine::IsBlock Theta>
requires engine::HasParameter<typename Theta::graph_type, Name>
auto get(Theta& theta) {
  constexpr int p = network_of<typename Theta::graph_type>.find_parameter(Name);
  return engine::parameter_access::get < p < 0 ? 0 : p > (theta);
}
template <ir::text Name, class G, class T>
requires(!engine::HasParameter<G, Name>)  //
    tenon::detail::refused<tenon::detail::why<engine::unfit_name_of_parameter<G, Name>>> get(
        const parameters<G, T>&);
template <ir::text Name, class G, class T>
view<const T> get(const parameters<G, T>&&) {
  tenon::detail::say<tenon::detail::error_in<engine::parameter_of_temporary<G, Name>>>();
  return {};
}
// Error for a name given as an argument: get(theta, "logits.weight"), get("logits", session).
template <class First, class... More>
requires engine::NameAsArgument<First, More...>  //
    tenon::detail::refused<tenon::detail::why<engine::name_in_get<First, More...>>> get(const First&,
                                                                                        const More&...);

}  // namespace tenon::inline v0_1
