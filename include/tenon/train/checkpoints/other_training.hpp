// other_training: how the training that a checkpoint comes from differs from the one that is to continue, in few words.
#pragma once

#include <string>
#include <string_view>

namespace tenon::inline v0_1::engine {

// `key` of a checkpoint is `theirs` and should be `ours`. Of lists, such as the shapes of all parameters or the words of
// a vocabulary, which end in "; " or in a line's end each, it says the first that differs and how many more do.
std::string other_training(std::string_view key, std::string_view theirs, std::string_view ours);

}  // namespace tenon::inline v0_1::engine

#ifndef TENON_COMPILED
#  include "tenon/train/checkpoints/other_training.ipp"
#endif
