// The bodies of parameters.hpp's functions; see tenon/meta/inline.hpp.
#pragma once

#include "tenon/meta/inline.hpp"

namespace tenon::inline v0_1::detail {

TENON_INLINE matched_file::matched_file(const std::string& path, ir::characters title,
                                        const std::vector<parameter_entry>& entries,
                                        const io::load_options& o)
    : file(path),
      options{o.rename, o.only, o.allow_missing, o.allow_unexpected},
      matching(entries, file.tensors(), options) {
  if (!matching.problems().empty())
    throw_data_error(path, {"does not fit the parameters of graph '", title, "':", matching.problems(),
                            matching.remedy()});
}

}  // namespace tenon::inline v0_1::detail
