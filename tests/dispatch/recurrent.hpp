// What every file of the program computes.
#pragma once

// The last states of an LSTM of 40 units over 7 steps, five rows: of an inference, of a stream, after a
// step of training, and after three updates whose gradients are clipped, in double.
struct answers {
  float inference[200], streaming[200], trained[200];
  double clipped[200];
};
