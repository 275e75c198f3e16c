// Errors for save(theta, path) and load(theta, path) if <tenon/io.hpp> is not included:
// without them compilers suggest a function of another library. If it is included, they are errors for
// calls that its functions do not accept.
#pragma once

#include "tenon/diagnostics/wrong_call.hpp"
#include "tenon/parameters/parameters.hpp"

#include <string_view>

namespace tenon::inline v0_1 {

// Of the structs in io/parameters.hpp.
#define TENON_MEMBERS_OF_LOAD_OPTIONS ".rename, .only, .allow_missing, .allow_unexpected"
#define TENON_MEMBERS_OF_SAVE_OPTIONS ".only, .metadata, .checksums"

#define TENON_SENTENCE                                                                                   \
  "load takes parameters and a path, as in load(theta, 'model.safetensors'), and is in a header of its " \
  "own: #include <tenon/io.hpp>; its options are " TENON_MEMBERS_OF_LOAD_OPTIONS
template <TENON_SAYS_AND(TENON_SENTENCE) class G, class T>
void load(const volatile parameters<G, T>&, ...) TENON_REFUSED(TENON_SENTENCE);
template <TENON_SAYS_AND(TENON_SENTENCE) class G, class T>
void load(std::string_view, const volatile parameters<G, T>&, ...) TENON_REFUSED(TENON_SENTENCE);
template <engine::IsBlock Theta TENON_AND_SAYS(TENON_SENTENCE)>
Theta load(...) TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE
#define TENON_SENTENCE                                                                                   \
  "save takes parameters and a path, as in save(theta, 'model.safetensors'), and is in a header of its " \
  "own: #include <tenon/io.hpp>; its options are " TENON_MEMBERS_OF_SAVE_OPTIONS
template <TENON_SAYS_AND(TENON_SENTENCE) class G, class T>
void save(const volatile parameters<G, T>&, ...) TENON_REFUSED(TENON_SENTENCE);
template <TENON_SAYS_AND(TENON_SENTENCE) class G, class T>
void save(std::string_view, const volatile parameters<G, T>&, ...) TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

namespace io {  // where other functions of files are
using tenon::load;
using tenon::save;
}  // namespace io

}  // namespace tenon::inline v0_1
