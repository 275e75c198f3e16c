// What a program without <tenon/train.hpp> knows of checkpoints: the option of fit, which is refused without that header, and errors for
// io::save_checkpoint(trainer, path) and io::load_checkpoint(trainer, path). If the header is included, these are errors for calls that
// its functions do not accept.
#pragma once

#include "tenon/diagnostics/wrong_call.hpp"

#include <string>
#include <utility>
#include <vector>

namespace tenon::inline v0_1 {

namespace io {

#define TENON_SENTENCE                                                                                 \
  "save_checkpoint and load_checkpoint take a trainer and a path, as in io::save_checkpoint(trainer, " \
  "'run.ckpt'), and are in a header of their own: #include <tenon/train.hpp>"
template <TENON_SAYS_AND(TENON_SENTENCE) class Trainer>
void save_checkpoint(const volatile Trainer&, ...) TENON_REFUSED(TENON_SENTENCE);
template <TENON_SAYS_AND(TENON_SENTENCE) class Trainer>
void load_checkpoint(const volatile Trainer&, ...) TENON_REFUSED(TENON_SENTENCE);
#undef TENON_SENTENCE

}  // namespace io

namespace engine {
template <class Loop>
struct saved_loop;  // checkpoint.hpp
// Depends on what was included before: in a program that asks, the answer no is an error.
template <class Saved>
concept Included = requires {
  sizeof(Saved);
};
}  // namespace engine

// Where fit saves a training, and where it continues from if the file exists. Saved are the parameters, the
// optimiser's states and numbers, the average, steps and random counters, the memory of schedule and early stopping,
// the best parameters, the history, and the place in the data. All other settings of
// the trainer and options of fit come from the program, which must give the same ones again.
struct checkpoint {
  std::string path;
  int every = 1;   // in epochs; the last one is always saved
  long steps = 0;  // also after this many updates within an epoch; 0: not
  // Further facts that must be the same when the training continues, such as the words of a vocabulary: saved under
  // these names in the file's metadata. A name that a checkpoint uses itself is an input_error.
  std::vector<std::pair<std::string, std::string>> must_match = {};

  // Called by fit. Throws data_error if the file is malformed, or is a checkpoint of another graph, rule, data set or
  // version, and changes nothing then; also if a file cannot be written there. Throws input_error if `every` or `steps`
  // are out of range, or if must_match or a metric has a name that is not UTF-8.
  template <class Loop>
  requires engine::Included<engine::saved_loop<Loop>>
  void load(Loop& loop) const { engine::saved_loop<Loop>::load(loop, *this); }
  template <class Loop>
  requires engine::Included<engine::saved_loop<Loop>>
  void save(Loop& loop) const { engine::saved_loop<Loop>::save(loop, *this); }
};

}  // namespace tenon::inline v0_1
