// Vaswani et al. 2017, from German to English: see program.hpp for its options.
#include "transformer_parts.hpp"

#include "program.hpp"

int main(int count, char** values) { return translation::program<translation::transformer>(count, values); }
