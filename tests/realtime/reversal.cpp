// The stream of examples/reversal.cpp, which is a program of its own.
#define main main_of_the_example
#include "../../examples/reversal.cpp"
#undef main
#include "realtime/callbacks.hpp"

int main() { return tenon::test::check_realtime<streaming<reversal, batch<4>>>("reversal"); }
