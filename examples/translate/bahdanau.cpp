// Bahdanau et al. 2015, from German to English: see program.hpp for its options.
#include "bahdanau_parts.hpp"

#include "program.hpp"

int main(int count, char** values) { return translation::program<translation::bahdanau>(count, values); }
