// What every file of the program computes.
#pragma once

// The last states of an LSTM of 40 units over 7 steps, five rows: from an inference, from a stream, after a
// training step, and after three updates with clipped gradients, in double.
struct answers {
  float inference[200], streaming[200], trained[200];
  double clipped[200];
};
