// What every file of the program computes.
#pragma once

// The last states of an LSTM of 40 units over 7 steps, five rows: of an inference, of a stream, and after a
// step of training.
struct answers {
  float inference[200], streaming[200], trained[200];
};
