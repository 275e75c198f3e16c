// io::copy_by_name(from, to): copies parameters of one graph to those with the same names in another: from a network
// trained as a whole to its encoder, or from a language model to a tagger that starts from its embedding.
#pragma once

// Included first, because compilers print each file on the include path to where errors are reported.
#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/diagnostics/wrong_call.hpp"
#include "tenon/parameters/by_name.hpp"

namespace tenon::inline v0_1 {

namespace io {
struct copy_options {
  std::vector<detail::renaming>
      rename{};  // {{"encoder.*", "*"}}: a name of `from`, and of `to`; the first match counts
  detail::name_patterns only{};  // which parameters of `to` are copied
  bool allow_missing = false;    // whether parameters that `from` lacks keep their values
};
#define TENON_MEMBERS_OF_COPY_OPTIONS ".rename, .only, .allow_missing"
}  // namespace io

namespace detail {

template <class From, class To>
struct unfit_copy {
  static constexpr problem wrong = [] {
    for (const ir::parameter& p : network_of<To>.parameters) {
      const int found = network_of<From>.find_parameter(p.path);
      if (found < 0) {
        ir::nearest known{p.path};
        for (const ir::parameter& theirs : network_of<From>.parameters)
          if (theirs.rows == p.rows && theirs.columns == p.columns) known.consider(theirs.path);
        return problem{.rule = ir::sentence("copy_by_name: graph '")
                                   .append(ir::title_of<From>())
                                   .append("' has no parameter '")
                                   .append(p.path.view())
                                   .append("'"),
                       .fix = known.suggestion(
                           "rename or choose: {.rename = {{\"encoder.*\", \"*\"}}, .only = \"..\"}")};
      }
      const ir::parameter& q = network_of<From>.parameters[found];
      if (p.rows != q.rows || p.columns != q.columns || p.kernel_height != q.kernel_height ||
          p.kernel_width != q.kernel_width) {
        const bool differ_in_rows = p.rows != q.rows;
        return problem{
            .rule =
                ir::sentence("copy_by_name: '").append(p.path.view()).append("' of the two graphs differ:"),
            .axis = differ_in_rows ? "rows" : "columns",
            .expected = differ_in_rows ? p.rows : p.columns,
            .got = differ_in_rows ? q.rows : q.columns,
            .source = ir::title_of<From>(),
            .fix = "choose what to copy: {.only = \"embedded.*\"}"};
      }
    }
    return problem{};
  }();
};

template <class From, class T, class To, class U>
unmatched_names copy_by_name_of(const parameters<From, T>& from, parameters<To, U>& to,
                                const io::copy_options& options) {
  std::vector<std::vector<T>> kernels;
  const auto tensors = tensors_of(entries_of<From>(), from.data(), kernels);
  const auto entries = entries_of<To>();
  const by_name_options own{options.rename, options.only, options.allow_missing, true};
  const by_name_matching matching(entries, tensors, own);
  if (!matching.problems().empty())
    throw_input_error({"copy_by_name: the parameters of graph '", ir::title_of<From>(),
                       "' do not fit those of graph '", ir::title_of<To>(), "':", matching.problems(),
                       matching.remedy()});
  matching.copy_to(to.data(), [](const io::named_tensor& tensor, auto* into) {
    read_numbers(tensor, 0, tensor.size(), into);
  });
  return matching.unmatched();
}

}  // namespace detail

namespace io {

// Copies every parameter of `to` from the one with the same name in `from`, which may have more; float and double are
// converted. The compiler checks that each exists, with the same shape.
template <concepts::Graph From, class T, concepts::Graph To, class U>
void copy_by_name(const parameters<From, T>& from, parameters<To, U>& to) {
  detail::say<detail::error_in<detail::unfit_copy<From, To>>>();
  detail::copy_by_name_of(from, to, {});
}
// With options. Returns the names of `to` that were unchanged, and the names of `from` that were not copied. Throws
// input_error, which lists every name that is missing or has another shape, and changes nothing.
template <concepts::Graph From, class T, concepts::Graph To, class U>
detail::unmatched_names copy_by_name(const parameters<From, T>& from, parameters<To, U>& to,
                                     const io::copy_options& options) {
  return detail::copy_by_name_of(from, to, options);
}
#define TENON_SENTENCE                                                                                     \
  "copy_by_name takes parameters to copy from and others to copy to, then options by their names in this " \
  "order, as in "                                                                                          \
  "io::copy_by_name(from, to, {.only = \"embedded.*\"}): " TENON_MEMBERS_OF_COPY_OPTIONS
template <class Names = detail::unmatched_names TENON_AND_SAYS(TENON_SENTENCE)>
Names copy_by_name(...) TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

}  // namespace io

}  // namespace tenon::inline v0_1
