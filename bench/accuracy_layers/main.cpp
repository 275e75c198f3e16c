// Prints the table of layers of docs/bench/accuracy.md.
#include "accuracy_layers/measure.hpp"

int main() {
  std::printf("| layer | size | length |");
  for (const char* kind : {"outputs", "gradients"})
    std::printf(" %s: absolute | relative | naive | share |", kind);
  std::printf(" worst at |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n");
  accuracy::row_layers();
  accuracy::activations();
  accuracy::recurrent_layers();
  accuracy::bidirectional_layers();
  accuracy::attentions();
  accuracy::networks();
}
