// Sutskever et al. 2014, from German to English: see program.hpp for its options.
#include "sutskever_parts.hpp"

#include "program.hpp"

int main(int count, char** values) { return translation::program<translation::sutskever>(count, values); }
