// What each rank does in a test; 0 if it is right.
#pragma once

#include <tenon/distribute/any_communicator.hpp>

#include <string>

namespace cases {
using tenon::distribute::any_communicator;

// Pieces of all lengths, empty ones too, arrive where they belong.
int pieces(any_communicator world);
template <class W>
int pieces(W& world) {
  return pieces(any_communicator(world));
}
// Ranks that disagree about a length: each sees it.
int unfit(any_communicator world);
// train CHECKPOINT EPOCHS [DIE_IN_EPOCH RANK]: a training goes on from its checkpoint.
int train(any_communicator world, int count, char** arguments);
// Rank `rank` is stopped, throws or dies while the others wait for it.
int lose(any_communicator world, const std::string& how, int rank);

}  // namespace cases
